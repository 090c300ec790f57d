import { byteLength, moveBytes, writeText } from '../text/bytes.js';
import type { Block } from './block.js';

/** Lines that come as text: headers, other people's metrics. */
export class TextBlock implements Block {
  at = -1;
  length = 0;
  wide = false;
  settled = false;
  #text = '';
  /** True while the text, not what stands on the page, is to be settled. */
  #isNew = true;

  set(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.length = byteLength(text);
    this.wide = this.length !== text.length;
    this.settled = false;
    this.#isNew = true;
  }

  refresh(): boolean {
    return !this.settled;
  }

  settle(page: Uint8Array, target: Uint8Array, at: number): void {
    if (this.#isNew) writeText(target, this.#text, at, this.wide);
    else moveBytes(page, this.at, this.at + this.length, target, at);
    this.#isNew = false;
    this.at = at;
    this.settled = true;
  }
}

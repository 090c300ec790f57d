import type { Block } from './block.js';
import { encode, moveBytes } from './bytes.js';

/** Lines that come as text: headers, other people's metrics. */
export class TextBlock implements Block {
  at = -1;
  length = 0;
  wide = false;
  settled = false;
  #text = '';
  #pending: Uint8Array | undefined = new Uint8Array(0);

  set(text: string): void {
    if (text === this.#text) return;
    this.#text = text;
    this.#pending = encode(text, true);
    this.length = this.#pending.length;
    this.wide = this.length !== text.length;
    this.settled = false;
  }

  refresh(): boolean {
    return !this.settled;
  }

  settle(page: Uint8Array, target: Uint8Array, at: number): void {
    if (this.#pending === undefined) moveBytes(page, this.at, this.at + this.length, target, at);
    else target.set(this.#pending, at);
    this.#pending = undefined;
    this.at = at;
    this.settled = true;
  }
}

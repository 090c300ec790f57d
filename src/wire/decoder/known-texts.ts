import { doublesOf, doublesStandAt, hashOf, standAt, wordsOf } from '../msgpack/byte-words.js';
import type { MsgpackReader } from '../msgpack/msgpack-reader.js';

/** A generation; two of them are kept: 65,536 texts at most, so that no engine can fill the memory. */
const GENERATION = 32_768;

/** A longer text is made anew each time. */
const LONGEST = 255;

/** How many texts that have gone may stand between two that are still there. */
const LOOK_AHEAD = 8;

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** The text of the bytes; a short ASCII one without a decoder's call, which costs several times as much. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length > LONGEST) return UTF8.decode(bytes);
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 0x80) return UTF8.decode(bytes);
  // The cast: `apply` takes any list of numbers, its type an array. Spreading costs ten times as much.
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}

/** A text that has been seen, and the one that came after it the last time. */
class KnownText {
  readonly text: string;
  readonly length: number;
  readonly #words: readonly number[];
  readonly #doubles: readonly number[];
  next: KnownText | undefined = undefined;

  constructor(text: string, length: number, words: readonly number[], doubles: readonly number[]) {
    this.text = text;
    this.length = length;
    this.#words = words;
    this.#doubles = doubles;
  }

  /** True if these are its bytes. */
  isAt(view: DataView, start: number, length: number): boolean {
    if (this.length !== length) return false;
    return this.#doubles.length > 0
      ? doublesStandAt(this.#doubles, view, start, length)
      : standAt(this.#words, view, start, length);
  }
}

/**
 * Texts that come again and again, in nearly the same order: a text is compared with the one that followed last time,
 * then with the few after it (what stood between has gone), then looked up by its bytes. Only a new one makes a string.
 */
export class KnownTexts {
  /** Where each sequence begins: an engine's step, or a map's keys. */
  readonly #heads = new Map<unknown, KnownText>();
  #young = new Map<number, KnownText>();
  #old = new Map<number, KnownText>();
  #made = 0;
  #last: KnownText = new KnownText('', 0, [], []);

  /** The texts that follow are expected in the order of the last sequence of that name. */
  begin(name: unknown): void {
    let head = this.#heads.get(name);
    if (head === undefined) {
      head = new KnownText('', 0, [], []);
      this.#count();
      this.#heads.set(name, head);
    }
    this.#last = head;
  }

  /** The text of `length` bytes, all there, that begin at `start`. */
  take(reader: MsgpackReader, start: number, length: number): string {
    let candidate = this.#last.next;
    for (let left = LOOK_AHEAD; candidate !== undefined && left > 0; left--) {
      if (candidate.isAt(reader.view, start, length)) return this.#follow(candidate);
      candidate = candidate.next;
    }
    return this.#lookUp(reader, start, length);
  }

  #follow(known: KnownText): string {
    this.#last.next = known;
    this.#last = known;
    return known.text;
  }

  #lookUp(reader: MsgpackReader, start: number, length: number): string {
    const bytes = reader.bytes.subarray(start, start + length);
    if (length > LONGEST) return textOf(bytes);
    const words = wordsOf(reader.view, start, length);
    const hash = hashOf(words);
    const young = this.#young.get(hash);
    if (young?.isAt(reader.view, start, length)) return this.#follow(young);
    const old = this.#old.get(hash);
    const known = old?.isAt(reader.view, start, length)
      ? old
      : new KnownText(textOf(bytes), length, words, doublesOf(reader.view, start, length));
    this.#count();
    this.#young.set(hash, known); // one of equal hash is forgotten
    return this.#follow(known);
  }

  /** One more is kept. A full generation becomes the old one, and what it leads to is let go of. */
  #count(): void {
    this.#made++;
    if (this.#made < GENERATION) return;
    for (const known of this.#young.values()) known.next = undefined;
    this.#heads.clear();
    this.#old = this.#young;
    this.#young = new Map();
    this.#made = 0;
  }
}

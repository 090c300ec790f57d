import type { MsgpackReader } from '../msgpack/msgpack-reader.js';

/** Ids that are remembered over all engines: a hostile engine must not fill the memory. */
const MOST_IDS = 65_536;

/** How many ids that have gone may stand between two that are still there: requests that end leave gaps. */
const LOOK_AHEAD = 16;

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** An id in the order of the engine's last message. */
interface KnownId {
  readonly id: string;
  readonly bytes: Uint8Array;
  /** The bytes four at a time, as far as they fill words: an id has some 60, and is compared in each step. */
  readonly words: Int32Array;
}

function knownId(bytes: Uint8Array): KnownId {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const words = new Int32Array(bytes.length >> 2);
  for (let i = 0; i < words.length; i++) words[i] = view.getInt32(i << 2);
  return { id: textOf(bytes), bytes, words };
}

/** True if the id stands at `start`; from its end on, as ids begin alike and end at random. */
function isAt({ bytes: own, words }: KnownId, { bytes, view }: MsgpackReader, start: number): boolean {
  for (let i = own.length - 1; i >= words.length << 2; i--) if (bytes[start + i] !== own[i]) return false;
  for (let i = words.length - 1; i >= 0; i--) if (view.getInt32(start + (i << 2)) !== words[i]) return false;
  return true;
}

/** A short ASCII text without a decoder's call, which costs several times as much. */
function textOf(bytes: Uint8Array): string {
  if (bytes.length > 255) return UTF8.decode(bytes);
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 0x80) return UTF8.decode(bytes);
  // The cast: `apply` takes any list of numbers, its type an array. Spreading costs ten times as much.
  return String.fromCharCode.apply(null, bytes as unknown as number[]);
}

/** One engine's ids. The order of outputs is stable while the set of requests is, so an id is mostly the next one. */
class EngineIds {
  known: KnownId[] = [];
  #seen: KnownId[] = [];
  #next = 0;

  /** The id whose bytes, all there, begin at `start`. */
  take(reader: MsgpackReader, start: number, length: number): string {
    const { known } = this;
    const first = known[this.#next];
    if (first !== undefined && first.bytes.length === length && isAt(first, reader, start)) {
      this.#next++;
      this.#seen.push(first);
      return first.id;
    }
    return this.#find(reader, start, length);
  }

  /** Among those a little further on, where requests have ended; else it is new. */
  #find(reader: MsgpackReader, start: number, length: number): string {
    const { known } = this;
    const end = Math.min(this.#next + LOOK_AHEAD, known.length);
    for (let i = this.#next + 1; i < end; i++) {
      const each = known[i]!;
      if (each.bytes.length !== length || !isAt(each, reader, start)) continue;
      this.#next = i + 1;
      this.#seen.push(each);
      return each.id;
    }
    const made = knownId(reader.bytes.slice(start, start + length));
    this.#seen.push(made);
    return made.id;
  }

  /** The message is over: its ids are the ones to be expected next. */
  turn(): void {
    const { known } = this;
    if (this.#seen.length > 0) this.known = this.#seen;
    this.#seen = this.known === known ? [] : known;
    this.#seen.length = 0;
    this.#next = 0;
  }
}

/** Request ids by engine, position and bytes: a step of requests that are known makes no string. */
export class RequestIds {
  readonly #engines = new Map<number, EngineIds>();
  #numIds = 0;

  of(engineIndex: number): EngineIds {
    let ids = this.#engines.get(engineIndex);
    if (ids === undefined) {
      ids = new EngineIds();
      this.#engines.set(engineIndex, ids);
    }
    return ids;
  }

  /** To be called after each message, also one that could not be read. */
  turn(ids: EngineIds): void {
    this.#numIds -= ids.known.length;
    ids.turn();
    this.#numIds += ids.known.length;
    if (this.#numIds <= MOST_IDS && this.#engines.size <= MOST_IDS) return;
    this.#engines.clear();
    this.#numIds = 0;
  }
}

export type { EngineIds };

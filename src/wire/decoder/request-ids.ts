import { standsAt } from './key-names.js';

/** Ids that are remembered over all engines: a hostile engine must not fill the memory. */
const MOST_IDS = 65_536;

/** How many ids that have gone may stand between two that are still there: requests that end leave gaps. */
const LOOK_AHEAD = 16;

const UTF8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** An id in the order of the engine's last message. */
interface KnownId {
  readonly id: string;
  readonly bytes: Uint8Array;
}

/** A short ASCII text without a decoder's call, which costs several times as much. */
function textOf(bytes: Uint8Array): string {
  for (let i = 0; i < bytes.length; i++) if (bytes[i]! >= 0x80) return UTF8.decode(bytes);
  return bytes.length <= 128 ? String.fromCharCode(...bytes) : UTF8.decode(bytes);
}

/** One engine's ids. The order of outputs is stable while the set of requests is, so an id is mostly the next one. */
class EngineIds {
  known: KnownId[] = [];
  #seen: KnownId[] = [];
  #next = 0;

  /** The id that stands at `start`. */
  take(bytes: Uint8Array, start: number, length: number): string {
    const { known } = this;
    const end = Math.min(this.#next + LOOK_AHEAD, known.length);
    for (let i = this.#next; i < end; i++) {
      const each = known[i]!;
      if (each.bytes.length !== length || !standsAt(bytes, start, each.bytes)) continue;
      this.#next = i + 1;
      this.#seen.push(each);
      return each.id;
    }
    const own = bytes.slice(start, start + length);
    const made = { id: textOf(own), bytes: own };
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

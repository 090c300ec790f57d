import { PendingBytes } from './pending-bytes.js';

const LF = 10;
const CR = 13;

/** The longest event that is read, in bytes with its blank line: 1 MiB. */
export const LONGEST_EVENT = 1_048_576;

/** What the splitter finds, in the order of the bytes; every byte is in exactly one call. */
export interface EventSink {
  /** A whole event, its blank line included; the bytes may be overwritten after the call. */
  event(bytes: Uint8Array): void;
  /** Bytes of an event that is too long to be kept; `isFirst` for the first of it. */
  tooLong(bytes: Uint8Array, isFirst: boolean): void;
}

/**
 * Splits bytes into events at their blank lines, which end in LF, CR or CRLF, however the reads split them. An event
 * inside one read is not copied; one over several reads is kept up to {@link LONGEST_EVENT}.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream
 */
export class EventSplitter {
  readonly #sink: EventSink;
  readonly #longest: number;
  readonly #pending = new PendingBytes();
  /** The bytes that came last end a line, or nothing of the event has come yet. */
  #atLineStart = true;
  /** The byte that came last was CR: an LF after it ends nothing more. */
  #afterCr = false;
  #isTooLong = false;

  constructor(sink: EventSink, longest: number = LONGEST_EVENT) {
    this.#sink = sink;
    this.#longest = longest;
  }

  push(bytes: Uint8Array): void {
    // Asked once a read: servers end lines in LF, and looking for LF alone is native code.
    const hasCr = bytes.includes(CR);
    let from = 0;
    while (from < bytes.length) {
      const to = hasCr ? this.#end(bytes, from) : this.#endWithoutCr(bytes, from);
      if (to < 0) {
        this.#keep(bytes.subarray(from));
        return;
      }
      this.#emit(bytes.subarray(from, to));
      from = to;
    }
  }

  /** Gives what stands of an event that never ended: it is none, but its bytes are somebody's. */
  rest(): Uint8Array {
    const rest = this.#pending.view();
    this.#pending.clear();
    return rest;
  }

  /** Where the event ends that goes on at `from`; -1 if not in these bytes. No CR stands in them. */
  #endWithoutCr(bytes: Uint8Array, from: number): number {
    let at = this.#afterCr && bytes[from] === LF ? from + 1 : from;
    this.#afterCr = false;
    while (at < bytes.length) {
      const lineEnd = bytes.indexOf(LF, at);
      if (lineEnd < 0) {
        this.#atLineStart = false;
        return -1;
      }
      if (lineEnd === at && this.#atLineStart) return lineEnd + 1;
      this.#atLineStart = true;
      at = lineEnd + 1;
    }
    return -1;
  }

  #end(bytes: Uint8Array, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      const isSecondOfPair = byte === LF && this.#afterCr;
      this.#afterCr = byte === CR;
      if (isSecondOfPair) continue;
      if (byte !== LF && byte !== CR) {
        this.#atLineStart = false;
      } else if (!this.#atLineStart) {
        this.#atLineStart = true;
      } else {
        if (byte === LF || bytes[at + 1] !== LF) return at + 1;
        this.#afterCr = false;
        return at + 2;
      }
    }
    return -1;
  }

  #keep(bytes: Uint8Array): void {
    if (this.#isTooLong) this.#sink.tooLong(bytes, false);
    else if (this.#pending.length + bytes.length > this.#longest) this.#refuse(bytes);
    else this.#pending.append(bytes);
  }

  /** The event's last bytes. */
  #emit(bytes: Uint8Array): void {
    if (this.#isTooLong) this.#sink.tooLong(bytes, false);
    else if (this.#pending.length + bytes.length > this.#longest) this.#refuse(bytes);
    else if (this.#pending.length === 0) this.#sink.event(bytes);
    else {
      this.#pending.append(bytes);
      this.#sink.event(this.rest());
    }
    this.#isTooLong = false;
    this.#atLineStart = true;
  }

  #refuse(bytes: Uint8Array): void {
    this.#isTooLong = true;
    const kept = this.rest();
    if (kept.length > 0) this.#sink.tooLong(kept, true);
    this.#sink.tooLong(bytes, kept.length === 0);
  }
}

import { createParser, type EventSourceParser } from 'eventsource-parser';

const CR = 13;
const BOM = [0xef, 0xbb, 0xbf] as const;

/** One event: its name, if it has one, and its data lines joined. */
export type EventCallback = (name: string | undefined, data: string) => void;

/**
 * Reads the fields of whole events. It gets one event at a time, so the parser keeps nothing between calls: its own
 * buffer has a limit of characters after which it must be reset, not one an event.
 */
export class EventReader {
  // A mark inside the stream is text: only the first three bytes of all may be one.
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #parser: EventSourceParser;
  #isFirst = true;

  constructor(onEvent: EventCallback) {
    this.#parser = createParser({ onEvent: ({ event, data }) => onEvent(event, data) });
  }

  /** Reads an event with its blank line. */
  read(bytes: Uint8Array): void {
    const text = this.#decoder.decode(this.#isFirst ? withoutMark(bytes) : bytes);
    this.#isFirst = false;
    // The parser waits at a CR for the LF that may follow; the event is over, so it gets one.
    this.#parser.feed(bytes[bytes.length - 1] === CR ? `${text}\n` : text);
  }
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return BOM.every((byte, at) => bytes[at] === byte) ? bytes.subarray(BOM.length) : bytes;
}

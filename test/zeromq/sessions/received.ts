import { filter, firstValueFrom, Subject, startWith, throwError, timeout } from 'rxjs';
import { hex } from '../../wire/sessions.js';

/** Anything of zeromq that receives. */
interface Receiving {
  receive(): Promise<Uint8Array[]>;
}

/** A message that is not there by then does not come. */
const DEADLINE_MS = 4_000;

/** What a side has heard, place by place, each in the order of arrival. */
export class Received {
  readonly #messages = new Map<string, string[]>();
  readonly #arrived = new Subject<void>();

  /** Messages as text: their frames in hexadecimal digits, divided by spaces. */
  at(place: string): readonly string[] {
    return this.#messages.get(place) ?? [];
  }

  /** Reads a socket until it is closed; `onMessage` says where a message belongs, and with which frames. */
  async read(
    socket: Receiving,
    onMessage: (frames: readonly Uint8Array[]) => readonly [place: string, frames: readonly Uint8Array[]],
  ): Promise<void> {
    try {
      for (;;) {
        const [place, frames] = onMessage(await socket.receive());
        this.#messages.set(place, [...this.at(place), textOf(frames)]);
        this.#arrived.next();
      }
    } catch {
      // closed
    }
  }

  /** Resolves once `holds`, which is asked after each arrival. Rejects with `what` was expected if it is too late. */
  async until(what: string, holds: () => boolean): Promise<void> {
    const late = () => throwError(() => new Error(`${what} within ${DEADLINE_MS} ms`));
    const whenever = this.#arrived.pipe(startWith(undefined), filter(holds));
    await firstValueFrom(whenever.pipe(timeout({ first: DEADLINE_MS, with: late })));
  }

  /** Resolves once so many messages have come to a place. */
  count(place: string, messages: number): Promise<void> {
    return this.until(`${place}: expected ${messages} messages`, () => this.at(place).length >= messages);
  }
}

/** A message as {@link Received.at} gives it. */
export function textOf(frames: readonly Uint8Array[]): string {
  return frames.map(hex).join(' ');
}

/** The frames of such a text. */
export function framesIn(text: string): readonly Uint8Array[] {
  return text.split(' ').map((frame) => Buffer.from(frame, 'hex'));
}

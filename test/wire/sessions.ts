/** The conversations that were captured between upstream's own programs. */
import { readFixture } from '../support/fixtures.js';

export interface SessionEvent {
  readonly socket: string;
  readonly direction: 'engine->frontend' | 'frontend->engine';
  /** Its index; absent where the message names none. */
  readonly engine?: number | null;
  readonly frames?: readonly string[];
  readonly decoded?: unknown;
}

export interface Session {
  readonly name: string;
  /** How many. */
  readonly engines: number;
  readonly frontend: string;
  readonly engine: string;
  readonly events: readonly SessionEvent[];
}

export const SESSIONS: readonly Session[] = readFixture<readonly Session[]>('wire/sessions.json');

/** The bytes of base64, as an array of their own. */
export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(Buffer.from(base64, 'base64'));
}

/** The frames that one side sent on a socket, of sessions whose `speaker` was upstream's. */
export function framesOf(
  socket: string,
  direction: SessionEvent['direction'],
  speaker: 'frontend' | 'engine',
): readonly { readonly session: string; readonly frames: readonly Uint8Array[] }[] {
  return SESSIONS.filter((session) => session[speaker].startsWith('upstream')).flatMap(({ name, events }) =>
    events
      .filter((event) => event.socket === socket && event.direction === direction && event.frames)
      .map(({ frames = [] }) => ({ session: name, frames: frames.map(bytesOf) })),
  );
}

/** Hexadecimal digits: what a failing comparison shows. */
export function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

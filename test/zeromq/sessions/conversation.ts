/** A recorded conversation as something to be played: who said what, in the order in which it was said. */
import type { EngineCoreRequest } from '../../../src/wire/index.js';
import { bytesOf, SESSIONS } from '../../wire/sessions.js';

/** One recorded message. */
export interface Step {
  readonly speaker: 'engine' | 'frontend';
  readonly socket: string;
  /** Where it was said or heard: the socket, with the engine whose connection it was if the socket knows. */
  readonly place: string;
  readonly engineIndex: number;
  /** The first frame on `handshake` and `input`, which is not on the wire: a ROUTER's name for the engine. */
  readonly identity: Uint8Array | undefined;
  readonly frames: readonly Uint8Array[];
  readonly decoded: unknown;
}

export interface Conversation {
  readonly name: Name;
  readonly engines: number;
  readonly steps: readonly Step[];
}

/** What a frontend sent on the input socket. */
export type Sent =
  | { readonly type: 'ADD'; readonly payload: readonly unknown[] }
  | { readonly type: 'ABORT'; readonly payload: readonly string[] }
  | {
      readonly type: 'UTILITY';
      readonly payload: readonly [number, number, method: string, args: readonly unknown[]];
    };

/** Those that are whole, without a coordinator, and whose frontend is not broken on purpose. */
export const NAMES = [
  'handshake-1-engine',
  'handshake-4-engines',
  'one-request-5-tokens',
  'chunk-size-4',
  'four-engines-six-requests',
  'utility-calls',
  'engine-core-dead',
  'finished-requests-without-final-output',
  'undecodable-output',
  'output-with-one-more-field',
  'empty-message',
  'short-arrays-and-stats',
] as const;

/** Whose frontend aborts. Some outputs of their engines were left out, so that only that side can be played. */
export const ABORTING_NAMES = ['three-concurrent-one-aborted', 'stream-dropped'] as const;

export type Name = (typeof NAMES)[number] | (typeof ABORTING_NAMES)[number];

export function placeOf(socket: string, engineIndex: number): string {
  return socket === 'output' ? socket : `${socket} ${engineIndex}`;
}

/** A conversation by its name; what was left out is not in it. @throws {Error} if there is none. */
export function conversation(name: Name): Conversation {
  const session = SESSIONS.find((each) => each.name === name);
  if (session === undefined) throw new Error(`expected a recorded conversation, got ${name}`);
  const kept = session.events.filter(({ frames }) => frames !== undefined);
  const steps = kept.map(({ socket, direction, engine, frames = [], decoded }): Step => {
    const engineIndex = engine ?? 0; // only with one engine are there messages that name none
    const speaker = direction === 'engine->frontend' ? 'engine' : 'frontend';
    const place = placeOf(socket, engineIndex);
    const bytes = frames.map(bytesOf);
    const identity = socket === 'output' ? undefined : bytes.shift();
    return { speaker, socket, place, engineIndex, identity, frames: bytes, decoded };
  });
  return { name, engines: session.engines, steps };
}

/** What one side says on a socket. */
export function said({ steps }: Conversation, speaker: Step['speaker'], socket: string): readonly Step[] {
  return steps.filter((step) => step.speaker === speaker && step.socket === socket);
}

/** What a caller writes to have a recorded ADD sent: everything else in it is what the frontend fills in. */
export function requestOf(payload: readonly unknown[]): EngineCoreRequest & { readonly requestId: string } {
  const [requestId, promptTokenIds, , sampling, , arrivalTime] = payload as [
    string,
    number[],
    null,
    { readonly max_tokens: number },
    null,
    number,
  ];
  return { requestId, promptTokenIds, samplingParams: { maxTokens: sampling.max_tokens }, arrivalTime };
}

/** The recorded requests, in the order of their ADDs. */
export function requestsIn(recorded: Conversation): readonly {
  readonly engineIndex: number;
  readonly request: ReturnType<typeof requestOf>;
}[] {
  return said(recorded, 'frontend', 'input')
    .filter(({ decoded }) => (decoded as Sent).type === 'ADD')
    .map(({ engineIndex, decoded }) => ({ engineIndex, request: requestOf((decoded as Sent).payload) }));
}

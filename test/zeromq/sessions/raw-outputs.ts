/** What engines said, with nothing known of it but the positions of the protocol. */
import { decode } from '@msgpack/msgpack';
import { framesIn } from './received.js';

type RawOutput = readonly [requestId: string, tokens: readonly number[], ...unknown[]];

/** An answer to a call: its id, how it failed, and the result after its type. */
export type RawAnswer = readonly [callId: number, failure: string | null, result: unknown];

const OUTPUTS = 1;
const ANSWER = 4;
const FINISH_REASON = 5;

/** What an engine made of a request. */
export interface Ends {
  readonly tokens: number;
  /** As numbers; a second one would be a fault, and so would tokens after the first. */
  readonly finishReasons: readonly unknown[];
}

function rawMessage(text: string): readonly unknown[] {
  try {
    const message = decode(framesIn(text)[0]!);
    return Array.isArray(message) ? message : [];
  } catch {
    return []; // a death notice, or what was broken on purpose
  }
}

/** The answer in a message, if there is one. */
export function answerIn(text: string): RawAnswer | undefined {
  return (rawMessage(text)[ANSWER] ?? undefined) as RawAnswer | undefined;
}

/** What became of each request, by its engine and id. */
export function endsIn(texts: readonly string[]): Readonly<Record<string, Ends>> {
  const ends: Record<string, Ends> = {};
  for (const message of texts.map(rawMessage)) {
    for (const output of (message[OUTPUTS] ?? []) as readonly RawOutput[]) {
      const [requestId, newTokens] = output;
      const { tokens, finishReasons } = ends[`${message[0]} ${requestId}`] ?? {
        tokens: 0,
        finishReasons: [],
      };
      const reason = output[FINISH_REASON] ?? undefined;
      ends[`${message[0]} ${requestId}`] = {
        tokens: tokens + newTokens.length,
        finishReasons: reason === undefined ? finishReasons : [...finishReasons, reason],
      };
    }
  }
  return ends;
}

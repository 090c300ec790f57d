/** The request of the marble tests: its outputs by letter, and its operator on the marbles' own clock. */
import type { MonoTypeOperatorFunction, TimestampProvider } from 'rxjs';
import { type EngineCoreStreamOutput, withRequestMetrics } from '../../../src/index.js';
import { engineOutput } from '../../../src/testing/index.js';
import { type Recording, recording } from '../../support/recording.js';
import { type Ended, MAX_TOKENS, PROMPT } from './ended.js';

type Seen = Omit<Ended, 'reason' | 'e2e' | 'ttft'>;

/** `a` and `b` bring tokens, `e` none; `z` is final with a token, `y` final without one. */
export const values: Readonly<Record<'a' | 'b' | 'e' | 'y' | 'z', EngineCoreStreamOutput>> = {
  a: engineOutput(1, {
    timestamp: 10.5,
    events: [
      { type: 'queued', timestamp: 8 },
      { type: 'scheduled', timestamp: 9 },
    ],
  }),
  b: engineOutput(2, { timestamp: 11.5, events: [{ type: 'preempted', timestamp: 11 }] }),
  e: engineOutput(0, { timestamp: 11.75 }),
  y: engineOutput(0, { timestamp: 12, finishReason: 'repetition' }),
  z: engineOutput(1, { timestamp: 12, finishReason: 'length' }),
};

/** What a request that saw `a`, then `b`, then `z` has by then, times of the frontend's clock aside. */
export const sawNothing: Seen = { tokens: 0 };
export const sawA: Seen = { tokens: 1, queue: 1, prefill: 1.5, inference: 1.5 };
export const sawAB: Seen = { ...sawA, tokens: 3, decode: 1, inference: 2.5, itl: [1], preemptions: 1 };
export const sawABZ: Seen = { ...sawAB, tokens: 4, decode: 1.5, inference: 3, itl: [1, 0.5] };

export interface MarbleRun extends Recording {
  readonly operator: MonoTypeOperatorFunction<EngineCoreStreamOutput>;
}

/** Metrics on a virtual clock, and the operator under test. */
export function marbleRun(clock: TimestampProvider): MarbleRun {
  const recorded = recording({ clock, engines: [0] });
  const request = { numPromptTokens: PROMPT, maxTokens: MAX_TOKENS, engineIndex: 0 };
  return { ...recorded, operator: withRequestMetrics(recorded.metrics, request) };
}

/** What the engine of the whole path sends, and what it is told. */
import { schedulerStats } from '../../../src/testing/scheduler-stats.js';
import { encodeEngineCoreOutputs } from '../../../src/wire/index.js';
import { idOf, OUTPUTS_A_STEP } from './decoder-workload.js';

export const STEPS_A_ROUND = 2_000; // 43 MB

/**
 * `prepare`: encode the next steps, and answer `prepared`. `bare`, `client`: send them, to the socket that just reads,
 * to the client. `end`: send the client each request's last output.
 */
export type Order = 'prepare' | 'bare' | 'client' | 'end';

export const REQUEST_IDS: readonly string[] = Array.from({ length: OUTPUTS_A_STEP }, (_, i) => idOf(i));

/** The token of the i-th request in a step. */
function tokenOf(step: number, i: number): number {
  return 1000 + ((step * 7919 + i * 104729) % 126_000);
}

/** The sum of all token ids of the first `steps` steps: what came must have the same. */
export function tokenSumOf(steps: number): number {
  let sum = 0;
  for (let step = 0; step < steps; step++)
    for (let i = 0; i < REQUEST_IDS.length; i++) sum += tokenOf(step, i);
  return sum;
}

const STEP_SECONDS = 0.013;

/** A step with its stats, as an engine sends it to its only frontend. */
export function encodedStep(step: number, finishReason?: 'length'): Uint8Array {
  return encodeEngineCoreOutputs({
    engineIndex: 0,
    timestamp: 1000 + step * STEP_SECONDS,
    outputs: REQUEST_IDS.map((requestId, i) => ({
      requestId,
      newTokenIds: [tokenOf(step, i)],
      finishReason,
    })),
    schedulerStats: schedulerStats({
      numRunningReqs: OUTPUTS_A_STEP,
      stepCounter: step,
      kvCacheUsage: 0.625,
      prefixCacheStats: { reset: false, requests: 0, queries: 0, hits: 0 },
    }),
  });
}

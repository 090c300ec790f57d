/** Something wrong with everything a request, a batch and a setter can hold. */
import type { RequestInfo } from '../../src/index.js';
import type { Rig } from '../support/rig.js';

const BAD_REQUEST = {
  ...{ arrivalTimeMs: 'x', loraName: 5, maxTokens: -1, n: 0 },
  ...{ parent: 5, requestId: 7, unsubscribeReason: 5 },
} as unknown as RequestInfo;

const BAD_OUTPUTS = [
  {
    timestamp: Number.NaN,
    output: {
      ...{ newTokenIds: 'x', finishReason: undefined, numNansInLogits: -1, prefillStats: 5 },
      events: [5, { type: 'x', timestamp: 1 }, { type: 'queued', timestamp: 'x' }],
    },
  },
  { timestamp: 1, output: { newTokenIds: [1], events: 7 } },
  { timestamp: -5, output: { newTokenIds: [1], finishReason: 'x' } },
];

const BAD_PREFILLS = [
  { numPromptTokens: -1 },
  { numComputedTokens: -1 },
  { numLocalCachedTokens: -1 },
  { numExternalCachedTokens: -1 },
  { numCachedTokens: -1 },
  { numPromptTokens: 9 },
];

function provokeRequests(rig: Rig): void {
  const live = rig.request(BAD_REQUEST);
  for (const output of BAD_OUTPUTS) live.source.next({ engineIndex: 0, ...output } as never);
  for (const prefillStats of BAD_PREFILLS) rig.request().output(1, { prefillStats }).abort();
  rig.request({ unsubscribeReason: () => 'x' as never }).abort();
}

export function provokeAll(rig: Rig): void {
  provokeRequests(rig);
  rig.hostile({ engineIndex: -1 });
  rig.hostile({ engineIndex: 0, outputs: 5, schedulerStats: 5 });
  rig.stats({ numRunningReqs: -1, kvCacheUsage: 2, prefixCacheStats: { hits: -1 }, perfStats: 5 } as never);
  rig.metrics.setSleepState(0, 'x' as never);
  rig.metrics.setCacheConfig(0, { le: 1 });
  rig.metrics.recordMultiModalCache(0, { queries: -1, hits: -1 });
}

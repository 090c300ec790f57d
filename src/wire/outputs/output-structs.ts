/** The maps inside an output. @see vllm/v1/engine/__init__.py `EngineCoreEvent`; vllm/v1/metrics/stats.py `PrefillStats` */
import { type MapStruct, row } from './map-struct.js';

export const EVENT: MapStruct = {
  fields: [row('type', 'event type'), row('timestamp', 'float')],
  create: () => ({ type: undefined, timestamp: undefined }),
};

export const PREFILL_STATS: MapStruct = {
  fields: [
    row('numPromptTokens', 'count'),
    row('numComputedTokens', 'count'),
    row('numCachedTokens', 'count'),
    row('numLocalCachedTokens', 'count'),
    row('numExternalCachedTokens', 'count'),
    row('numCacheCreationTokens', 'count'),
  ],
  create: () => ({
    numPromptTokens: 0,
    numComputedTokens: 0,
    numCachedTokens: 0,
    numLocalCachedTokens: 0,
    numExternalCachedTokens: 0,
    numCacheCreationTokens: 0,
  }),
};

import type { CatalogKey } from './catalog.js';

/**
 * What an observer of a stream can know. Of schedulers, caches, queues, prefill and connectors it knows nothing: zeros
 * there would read as facts, and an autoscaler would believe that nobody waits.
 */
export const GATEWAY_FAMILIES: ReadonlySet<CatalogKey> = new Set<CatalogKey>([
  'requestSuccess',
  'promptTokens',
  'promptTokensCached',
  'generationTokens',
  'requestPromptTokens',
  'requestGenerationTokens',
  'requestMaxNumGenerationTokens',
  'requestParamsMaxTokens',
  'requestParamsN',
  'timeToFirstTokenSeconds',
  'interTokenLatencySeconds',
  'requestTimePerOutputTokenSeconds',
  'e2eRequestLatencySeconds',
  'requestDecodeTimeSeconds',
]);

/** The page of a registry, in vLLM's own spelling: as one string, or as chunks of bytes. */

import type { PromRegistry } from '../prom-client.js';
import { chunksOf, textOf } from './page-text.js';
import { scrapePage } from './scrape-queue.js';

/**
 * The exposition of all metrics of a registry. Our families, and those whose name begins with `vllm:`, are spelled
 * byte for byte as vLLM does; other people's as prom-client does, their labels sorted. OpenMetrics if the registry
 * says so. Long pages are made in slices, and scrapes may overlap. A metric that fails is left out.
 * @throws what a failing metric did, if the registry has no `getMetricsAsArray`.
 */
export async function renderMetrics(registry: PromRegistry): Promise<string> {
  return scrapePage(registry, textOf);
}

async function* chunksOfPage(registry: PromRegistry): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await scrapePage(registry, chunksOf);
}

/**
 * The page of {@link renderMetrics} as UTF-8 bytes, in chunks of at most 256 kB. It is the page of one scrape, made
 * when the first chunk is asked for, however slowly the others are.
 */
export function metricsChunks(registry: PromRegistry): AsyncIterable<Uint8Array> {
  return chunksOfPage(registry);
}

/** The page of a registry, in vLLM's own spelling: as one string, or as chunks of bytes. */

import { printed } from '../../metric/printed.js';
import type { PromRegistry } from '../prom-client.js';
import { chunksOf, textOf } from './page-text.js';
import { scrapePage } from './scrape-queue.js';

/** How a page is made. */
export interface RenderOptions {
  /**
   * How long a page waits for the registry's collectors, in milliseconds (default 10,000, as Prometheus' own scrape
   * timeout). Who takes longer is left out. Infinity waits for ever.
   */
  readonly timeoutMs?: number | undefined;
}

/** The largest delay of a timer; a longer one would be over at once. */
const LONGEST = 2 ** 31 - 1;

function timeoutOf(subject: string, options: RenderOptions | undefined): number {
  const timeoutMs: unknown = options?.timeoutMs ?? 10_000;
  const told = `${subject}: expected timeoutMs to be a positive number of milliseconds`;
  if (typeof timeoutMs !== 'number') throw new TypeError(`${told}, got ${printed(timeoutMs)}`);
  if (!(timeoutMs > 0)) throw new RangeError(`${told}, got ${timeoutMs}`);
  return timeoutMs > LONGEST ? Infinity : timeoutMs;
}

/**
 * The exposition of all metrics of a registry. Our families, and those whose name begins with `vllm:`, are spelled
 * byte for byte as vLLM does; other people's as prom-client does, their labels sorted. OpenMetrics if the registry
 * says so. Long pages are made in slices, and scrapes may overlap. Each collector is asked once; one that throws,
 * rejects or hangs is left out and counted in `rx_engine_metrics_collector_failures_total`.
 * @throws what a failing metric did, if the registry has no `getMetricsAsArray`; {@link TypeError} or
 * {@link RangeError} on a bad `timeoutMs`.
 */
export async function renderMetrics(registry: PromRegistry, options?: RenderOptions): Promise<string> {
  return scrapePage(registry, timeoutOf('renderMetrics', options), textOf);
}

async function* chunksOfPage(
  registry: PromRegistry,
  timeoutMs: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  yield* await scrapePage(registry, timeoutMs, chunksOf);
}

/**
 * The page of {@link renderMetrics} as UTF-8 bytes, in chunks of at most 256 kB. Each iteration is the page of one
 * scrape, made when its first chunk is asked for, however slowly the others are.
 * @throws {TypeError | RangeError} at the call on a bad `timeoutMs`.
 */
export function metricsChunks(registry: PromRegistry, options?: RenderOptions): AsyncIterable<Uint8Array> {
  const timeoutMs = timeoutOf('metricsChunks', options);
  return { [Symbol.asyncIterator]: () => chunksOfPage(registry, timeoutMs) };
}

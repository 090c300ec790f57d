/** The README's figures of what a page holds, counted on real pages. */
import { gzipSync } from 'node:zlib';
import { Registry } from 'prom-client';
import { renderMetrics, ServingMetrics, type ServingMetricsOptions } from '../../src/index.js';
import { table } from './readme.js';

export interface PageSize {
  readonly series: number;
  readonly bytes: number;
  readonly gzipped: number;
}

export function sizeOf(page: string): PageSize {
  const series = page.split('\n').filter((line) => line !== '' && !line.startsWith('#')).length;
  return { series, bytes: Buffer.byteLength(page), gzipped: gzipSync(page).length };
}

/** A page of `models` with `engines` each, on which nothing has been recorded. */
export async function idleSize(
  models: number,
  engines: number,
  options: Partial<ServingMetricsOptions> = {},
): Promise<PageSize> {
  const registry = new Registry();
  const indexes = Array.from({ length: engines }, (_, i) => i);
  for (let i = 0; i < models; i++) {
    new ServingMetrics({ registry, modelName: `llama-3.1-${i + 1}b`, engines: indexes, ...options });
  }
  return sizeOf(await renderMetrics(registry));
}

const CASES: readonly (readonly [
  models: number,
  engines: number,
  options?: Partial<ServingMetricsOptions>,
])[] = [
  [1, 1],
  [1, 1, { maxModelLen: 8192 }],
  [1, 8],
  [3, 8],
  [1, 64],
  [1, 512],
];

/** Gzipped sizes are zlib's, which differs between versions of Node: two digits are what lasts. */
function rounded(bytes: number): string {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(bytes)) - 1);
  return (Math.round(bytes / unit) * unit).toLocaleString('en-US');
}

export async function costsTable(): Promise<string> {
  const rows = await Promise.all(
    CASES.map(async ([models, engines, options]) => {
      const { series, bytes, gzipped } = await idleSize(models, engines, options);
      const note = options?.maxModelLen === undefined ? '' : ` (\`maxModelLen: ${options.maxModelLen}\`)`;
      const counts = [series, bytes].map((count) => count.toLocaleString('en-US'));
      return [String(models), `${engines}${note}`, ...counts, rounded(gzipped)];
    }),
  );
  return table([['models', 'engines each', 'series', 'bytes a scrape', 'gzipped, about'], ...rows]);
}

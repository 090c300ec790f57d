/** What holds for any page, and for any two in a row. */
import type { Recording } from '../support/recording.js';
import type { Samples } from '../support/samples.js';

const GAUGES =
  /^(vllm:(num_requests_\w+|kv_cache_usage_perc|engine_sleep_state|lora_requests_info|cache_config_info)|rx_engine_metrics_requests_in_flight)\{/u;

/** Samples that no page may have. */
export function badSamples({ all }: Samples): string[] {
  return [...all]
    .filter(
      ([key, value]) =>
        typeof value !== 'number' ||
        !Number.isFinite(value) ||
        value < 0 ||
        (key.includes('_perc{') && value > 1),
    )
    .map(([key, value]) => `${key} is ${value}`);
}

/** Counters, buckets, counts and sums that went back, or left. */
export function wentBack(before: Samples, after: Samples): string[] {
  return [...before.all]
    .filter(([key, value]) => !GAUGES.test(key) && !(after.all.get(key)! >= value))
    .map(([key, value]) => `${key} was ${value}, is ${after.all.get(key)}`);
}

/** Buckets that are not cumulative, or whose last is not the count. */
export function brokenBuckets({ all }: Samples): string[] {
  const broken: string[] = [];
  let family = '';
  let last = 0;
  for (const [key, value] of all) {
    const series = key.replace(/le="[^"]*",/u, '');
    if (series.includes('_bucket{')) {
      if (series === family && value < last) broken.push(`${key} is ${value} after ${last}`);
      [family, last] = [series, value];
    }
    const count =
      key.includes('_bucket{') && key.includes('le="+Inf"')
        ? all.get(series.replace('_bucket{', '_count{'))
        : value;
    if (count !== value) broken.push(`${key} is ${value}, the count is ${count}`);
  }
  return broken;
}

/** Everything that is wrong with a page and its diagnostics. */
export async function faults(before: Samples, { samples, diagnostics }: Recording): Promise<string[]> {
  const after = await samples();
  const counted = Object.values(after.invalidValues()).reduce((sum, n) => sum + n, 0);
  const uncounted =
    counted === diagnostics.length ? [] : [`${counted} of ${diagnostics.length} diagnostics counted`];
  return [...badSamples(after), ...wentBack(before, after), ...brokenBuckets(after), ...uncounted];
}

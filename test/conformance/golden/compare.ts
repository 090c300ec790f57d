/** Compares samples both ways, as the golden files' note says. */
import type { GoldenCase } from './golden-case.js';

type Samples = ReadonlyMap<string, number>;

/** What this upstream does not know; `corrupted_requests` joins them where its switch was off. */
const OURS_ALONE = [
  'vllm:request_num_preemptions',
  'vllm:prompt_tokens_cached_by_source',
  'rx_engine_metrics_',
];

/** A sample's family, counters without `_total`. */
export function familyOf(key: string): string {
  return key.replace(/\{.*$/su, '').replace(/_(bucket|sum|count|total)$/u, '');
}

/** Differences as lines, so that a failure shows all of them. */
function differences(expected: Iterable<[string, number]>, ours: Samples): string[] {
  return [...expected]
    .filter(([key, value]) => ours.get(key) !== value)
    .map(([key, value]) => `${key}: upstream ${value}, ours ${ours.get(key)}`);
}

/** Both ways over the families that upstream's Rust recorder has; it leaves zeros out. */
export function rustDifferences(
  { samples }: GoldenCase,
  families: ReadonlySet<string>,
  ours: Samples,
): string[] {
  const surplus = [...ours].filter(
    ([key, value]) => value !== 0 && families.has(familyOf(key)) && samples[key] === undefined,
  );
  return [
    ...differences(Object.entries(samples), ours),
    ...surplus.map(([key, value]) => `${key}: upstream has none, ours ${value}`),
  ];
}

/** Both ways over all of Python's families, keys that differ on purpose aside. */
export function pythonDifferences({ samples, differs, computeNans }: GoldenCase, ours: Samples): string[] {
  const skipped = new Set(differs.flatMap(({ keys }) => keys));
  const alone = computeNans ? OURS_ALONE : [...OURS_ALONE, 'vllm:corrupted_requests'];
  const surplus = [...ours].filter(
    ([key, value]) =>
      value !== 0 &&
      samples[key] === undefined &&
      !skipped.has(key) &&
      !alone.some((prefix) => key.startsWith(prefix)),
  );
  return [
    ...differences(
      Object.entries(samples).filter(([key]) => !skipped.has(key)),
      ours,
    ),
    ...surplus.map(([key, value]) => `${key}: upstream has none, ours ${value}`),
  ];
}

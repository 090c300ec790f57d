import { describe, expect, it } from 'vitest';
import { readSamples } from '../../../src/testing/index.js';
import { pythonDifferences } from './compare.js';
import { pythonCases } from './golden-case.js';
import { Reference, referenceSample } from './reference.js';
import { Replay } from './replay.js';

const FILES: readonly (readonly [file: string, cases: number])[] = [
  ['aborts', 3],
  ['cache-config', 2],
  ['connectors', 8],
  ['corrupted', 3],
  ['iteration-tokens', 1],
  ['kv-residency', 2],
  ['lifecycle', 8],
  ['lora', 2],
  ['mixed', 1],
  ['mm-cache', 2],
  ['parallel-sampling', 2],
  ['perf', 2],
  ['scheduler', 2],
  ['sleep-state', 4],
  ['spec-decode', 4],
];

/** The device's tier is the engine's own prefix cache. */
function localHits(key: string): string {
  return key.replace('prompt_tokens_cached_by_source', 'prefix_cache_hits').replace(',source="device"', '');
}

describe.each(FILES)("upstream's Python frontend, %s", (file, count) => {
  const cases = pythonCases(file);
  const named = cases.map((golden) => [golden.name, golden] as const);

  it.each(named)('%s exports the same samples', async (_, golden) => {
    const { registry, diagnostics } = new Replay(golden.options).run(golden.steps);

    expect(pythonDifferences(golden, await readSamples(registry))).toEqual([]);
    expect(diagnostics).toEqual([]);
  });

  it.each(named)('%s: what upstream does not know yet follows from the steps', async (_, golden) => {
    const ours = await readSamples(new Replay(golden.options).run(golden.steps).registry);
    const reference = new Reference(golden.steps);
    const added = [...ours].filter(([key]) =>
      /^vllm:(request_num_preemptions|corrupted_requests)/u.test(key),
    );
    const device = [...ours].filter(([key]) => key.includes('source="device"'));

    expect(added).toEqual(added.map(([key]) => [key, referenceSample(reference, key)]));
    expect(device).toEqual(device.map(([key]) => [key, ours.get(localHits(key))]));
    expect(device).toHaveLength(golden.options.engines.length);
  });

  it('has as many cases as ever', () => {
    expect(cases).toHaveLength(count);
  });
});

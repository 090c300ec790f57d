/** The labels of our samples: one object for a series' life for prom-client's writer, the reader's own otherwise. */
import { expect, it } from 'vitest';
import type { PromMetric, PromSample } from '../../src/prom/prom-client.js';
import { describeFamily, makeRegistry, register } from '../support/registries.js';

const TYPES = ['counter', 'histogram'] as const;

it.each(TYPES)(
  "a %s's label objects last for the text writer, which flattens each of them once",
  async (type) => {
    const registry = makeRegistry();
    const name = type === 'counter' ? 'vllm:m_total' : 'vllm:m';
    const bounds = type === 'counter' ? [] : [1];
    const [shared] = register(registry, describeFamily(type, name, ['engine'], bounds));
    const series = shared!.family.series('0');
    const collector = registry.getSingleMetric(name) as unknown as PromMetric;
    const written = async (): Promise<PromSample[]> => (await collector.getForPromString()).values;
    const samples = [...(await written()), ...(await written())];
    expect(samples.filter(({ sharedLabels }) => sharedLabels !== series.labels)).toEqual([]);
    expect(samples).toHaveLength(type === 'counter' ? 2 : 8);
    const read = (await collector.get()).values;
    expect(read.map(({ labels }) => labels['engine'])).toEqual(read.map(() => '0'));
    expect(read.filter(({ labels, sharedLabels }) => labels === series.labels || sharedLabels)).toEqual([]);
  },
);

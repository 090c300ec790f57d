/** Answers that cannot be read, on a registry without default labels: it hands them on as they are. */
import { expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import { makeRegistry } from '../support/registries.js';

const sample = { labels: {}, value: 1 };

it.each([
  ['null', null],
  ['nothing', undefined],
  ['a sample that is null behind 300 that are none', { values: [...Array(300).fill(sample), null] }],
  ['a list of samples that is none', { values: 7 }],
])('a metric that answers %s is left out as a whole, all others stay', async (_, answer) => {
  const registry = makeRegistry();
  const shape = { help: 'h', type: 'gauge', aggregator: 'sum' };
  const add = (name: string, get: () => Promise<unknown>) =>
    registry.registerMetric({ ...shape, name, get } as never);
  const healthy = (name: string) => add(name, async () => ({ ...shape, name, values: [sample] }));
  healthy('before');
  add('sick', async () => answer && { ...shape, name: 'sick', ...answer });
  healthy('behind');
  const lines = (await renderMetrics(registry)).split('\n').filter((line) => !line.startsWith('#'));
  expect(lines).toEqual(['before 1', 'behind 1', '']);
});

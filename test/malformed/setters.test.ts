/** The setters of `ServingMetrics`, called with anything. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ServingMetrics } from '../../src/index.js';
import { recording } from '../support/recording.js';
import { hostile } from './hostile.js';
import { faults } from './invariants.js';

type Call = (metrics: ServingMetrics, first: unknown, second: unknown) => void;

const calls: Readonly<Record<string, Call>> = {
  setSleepState: (metrics, engine, state) => metrics.setSleepState(engine as number, state as 'awake'),
  setCacheConfig: (metrics, engine, fields) =>
    metrics.setCacheConfig(engine as number, fields as Record<string, unknown>),
  'setCacheConfig of a field': (metrics, _engine, value) => metrics.setCacheConfig(0, { block_size: value }),
  recordMultiModalCache: (metrics, engine, stats) =>
    metrics.recordMultiModalCache(engine as number, stats as { queries: number; hits: number }),
  'recordMultiModalCache of figures': (metrics, queries, hits) =>
    metrics.recordMultiModalCache(0, { queries: queries as number, hits: hits as number }),
  removeEngine: (metrics, engine) => {
    const remove = () => metrics.removeEngine(engine as number);
    if (typeof engine === 'number') remove();
    else expect(remove).toThrow(TypeError);
  },
  idle: (metrics, engine) => metrics.idle(engine as number),
};

it.each(Object.entries(calls))(
  'takes anything and keeps the page whole: %s',
  async (_name, call) => {
    const run = fc.asyncProperty(
      fc.oneof(hostile, fc.constant({ name: '0', make: () => 0 })),
      hostile,
      async (first, second) => {
        const recorded = recording({ engines: [0] });
        const before = await recorded.samples();
        call(recorded.metrics, first.make(), second.make());
        expect(await faults(before, recorded)).toEqual([]);
      },
    );
    await fc.assert(run, { numRuns: 100 });
  },
  60_000,
);

it('drops anything that a handle cannot record', async () => {
  const run = fc.asyncProperty(hostile, async ({ make }) => {
    const recorded = recording({ engines: [0] });
    const before = await recorded.samples();
    const { generationTokens, e2eRequestLatencySeconds, numRequestsRunning } = recorded.metrics.forEngine(0);
    const value = make() as number;
    generationTokens.inc(value);
    e2eRequestLatencySeconds.observe(value);
    numRequestsRunning.set(value);
    expect(Number.isFinite(numRequestsRunning.value)).toBe(true);
    numRequestsRunning.set(0); // a gauge of the host's own may be negative
    expect(await faults(before, recorded)).toEqual([]);
  });
  await fc.assert(run, { numRuns: 100 });
}, 60_000);

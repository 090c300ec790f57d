import { describe, expect, it } from 'vitest';
import type { Counter } from '../../../src/metric/counter.js';
import { MetricFamily } from '../../../src/metric/family.js';
import { CacheResets } from '../../../src/serving/engines/cache-resets.js';
import { CacheDeltas, CounterDelta } from '../../../src/serving/stats-log/interval.js';

const DESCRIPTOR = { help: 'h', labelNames: [], aggregator: 'sum', upperBounds: [] } as const;

function counted(value: number): { family: MetricFamily; counter: Counter; delta: CounterDelta } {
  const family = new MetricFamily<'counter'>({ ...DESCRIPTOR, name: 'c_total', type: 'counter' });
  const counter = family.labels();
  const delta = new CounterDelta(counter, family);
  counter.inc(value);
  return { family, counter, delta };
}

function ended(delta: CounterDelta): number {
  delta.advance();
  return delta.value;
}

describe('a counter’s growth', () => {
  it('counts the first interval from 0 and each later one from the last', () => {
    const { counter, delta } = counted(5);
    expect(ended(delta)).toBe(5);
    counter.inc(2);
    expect([ended(delta), ended(delta)]).toEqual([2, 0]);
  });

  it.each([30, 100, 400])('counts from a reset on, also when the old value is passed again: %i', (since) => {
    const { family, counter, delta } = counted(100);
    delta.advance();
    family.reset();
    counter.inc(since);
    expect(ended(delta)).toBe(since);
    counter.inc(1);
    expect(ended(delta)).toBe(1);
  });
});

describe('the look-ups of a cache', () => {
  function cache() {
    const [queries, hits] = [counted(100), counted(90)];
    const resets = new CacheResets();
    const deltas = new CacheDeltas(queries.delta, hits.delta, resets);
    deltas.advance();
    const look = (asked: number, found: number) => {
      queries.counter.inc(asked);
      hits.counter.inc(found);
    };
    const empty = () => resets.note(queries.counter.value, hits.counter.value);
    const read = () => {
      deltas.advance();
      return [deltas.queries.value, deltas.hits.value, deltas.wasReset];
    };
    return { families: [queries.family, hits.family], look, empty, read };
  }

  it('count from the last time the cache was emptied, in that interval alone', () => {
    const { look, empty, read } = cache();
    look(50, 50);
    empty();
    look(10, 1);
    empty();
    look(20, 4);
    expect(read()).toEqual([20, 4, true]);
    look(10, 9);
    expect(read()).toEqual([10, 9, false]);
  });

  it('count from a reset of the registry that came after it', () => {
    const { families, look, empty, read } = cache();
    empty();
    for (const family of families) family.reset();
    look(8, 2);
    expect(read()).toEqual([8, 2, true]);
  });
});

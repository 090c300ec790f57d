import { describe, expect, it } from 'vitest';
import { Counter } from '../../../src/metric/counter.js';
import { advanceTogether, CounterDelta } from '../../../src/serving/stats-log/interval.js';

function counted(value: number): { counter: Counter; delta: CounterDelta } {
  const counter = new Counter(new Float64Array(1));
  const delta = new CounterDelta(counter);
  counter.inc(value);
  return { counter, delta };
}

/** As the registry's `resetMetrics()` does. */
function resetTo(counter: Counter, value: number): void {
  counter.cells[0] = value;
}

describe('advanceTogether', () => {
  it('counts the first interval from 0 and each later one from the last', () => {
    const { counter, delta } = counted(5);
    advanceTogether([delta]);
    expect(delta.value).toBe(5);
    counter.inc(2);
    advanceTogether([delta]);
    expect(delta.value).toBe(2);
    advanceTogether([delta]);
    expect(delta.value).toBe(0);
  });

  it('counts from the reset on if a counter went back', () => {
    const { counter, delta } = counted(100);
    advanceTogether([delta]);
    resetTo(counter, 30);
    advanceTogether([delta]);
    expect(delta.value).toBe(30);
    counter.inc(1);
    advanceTogether([delta]);
    expect(delta.value).toBe(1);
  });

  it('counts a whole set from the reset on if one of it went back', () => {
    const queries = counted(100);
    const hits = counted(5);
    advanceTogether([queries.delta, hits.delta]);
    resetTo(queries.counter, 40);
    resetTo(hits.counter, 10);
    advanceTogether([queries.delta, hits.delta]);
    expect([queries.delta.value, hits.delta.value]).toEqual([40, 10]);
  });
});

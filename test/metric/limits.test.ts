/** The largest number that is taken, and the smallest. */
import { describe, expect, it } from 'vitest';
import { Counter } from '../../src/metric/counter.js';
import { Gauge } from '../../src/metric/gauge.js';
import { isRecordable, LARGEST } from '../../src/metric/handle.js';

const BEYOND = 1.0000001e200;

describe('the limits of a handle', () => {
  it('are 0 and 1e200, both recordable', () => {
    expect([0, LARGEST].map(isRecordable)).toEqual([true, true]);
    expect([-Number.MIN_VALUE, BEYOND].map(isRecordable)).toEqual([false, false]);
  });

  it('are within what a counter grows by', () => {
    const counter = new Counter(new Float64Array(1));
    counter.inc(LARGEST);
    counter.inc(BEYOND);
    expect(counter.value).toBe(LARGEST);
  });

  it('are within what a gauge is set to, below 0 too', () => {
    const gauge = new Gauge(new Float64Array(1));
    const set = [LARGEST, BEYOND, -LARGEST, -BEYOND].map((value) => {
      gauge.set(value);
      return gauge.value;
    });
    expect(set).toEqual([LARGEST, LARGEST, -LARGEST, -LARGEST]);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BucketIndex } from '../../src/metric/bucket-index.js';
import { Counter } from '../../src/metric/counter.js';
import { Gauge } from '../../src/metric/gauge.js';
import { isRecordable, LARGEST } from '../../src/metric/handle.js';
import { Histogram } from '../../src/metric/histogram.js';

/** What no handle may take; `as number` because the types forbid most of it. */
const UNRECORDABLE = [
  Number.NaN,
  Infinity,
  -Infinity,
  1.1e200,
  Number.MAX_VALUE,
  '1',
  1n,
  null,
  {},
  [2],
  true,
  new Date(0),
  { valueOf: () => 3 },
] as unknown[] as number[];
const NEGATIVE = [-1, -Number.MIN_VALUE, -1e200];

const BOUNDS = [0.1, 1, 10];
const counter = () => new Counter(new Float64Array(1));
const gauge = () => new Gauge(new Float64Array(1));
const histogram = () => new Histogram(new Float64Array(BOUNDS.length + 2), new BucketIndex(BOUNDS));

describe('Counter', () => {
  it('grows by 1, or by what it is given', () => {
    const handle = counter();
    handle.inc();
    handle.inc(2.5);
    handle.inc(0);
    handle.inc(undefined);
    expect(handle.value).toBe(4.5);
  });

  it.each([...UNRECORDABLE, ...NEGATIVE])('drops %s', (value) => {
    const handle = counter();
    handle.inc(7);
    expect(() => handle.inc(value)).not.toThrow();
    expect(handle.value).toBe(7);
  });

  it('stays finite and never falls, whatever it is given', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.double(), fc.anything())), (values) => {
        const handle = counter();
        let last = 0;
        for (const value of values as number[]) {
          handle.inc(value);
          if (!(handle.value >= last && handle.value < Infinity)) return false;
          last = handle.value;
        }
        return true;
      }),
    );
  });

  it('cannot overflow by adding up the largest', () => {
    const handle = counter();
    for (let i = 0; i < 1e5; i++) handle.inc(LARGEST);
    expect(handle.value).toBeLessThan(Infinity);
  });
});

describe('Gauge', () => {
  it('takes what it is set to, below 0 too', () => {
    const handle = gauge();
    const seen = [3, -2, 0.5, -1e200, 0].map((value) => {
      handle.set(value);
      return handle.value;
    });
    expect(seen).toEqual([3, -2, 0.5, -1e200, 0]);
  });

  it.each([...UNRECORDABLE, -1.1e200, undefined as unknown as number])('keeps its value on %s', (value) => {
    const handle = gauge();
    handle.set(7);
    expect(() => handle.set(value)).not.toThrow();
    expect(handle.value).toBe(7);
  });
});

describe('Histogram', () => {
  it('files samples by inclusive upper bounds', () => {
    const handle = histogram();
    for (const value of [0, -0, 0.1, 0.10001, 1, 10, 10.5, 1e200]) handle.observe(value);
    expect([...handle.cells.slice(0, 4)]).toEqual([3, 2, 1, 2]);
    expect(handle.count).toBe(8);
    expect(handle.sum).toBe(1e200);
  });

  it.each([...UNRECORDABLE, ...NEGATIVE, undefined as unknown as number])('drops %s', (value) => {
    const handle = histogram();
    handle.observe(2);
    expect(() => handle.observe(value)).not.toThrow();
    expect([handle.count, handle.sum]).toEqual([1, 2]);
  });

  it('counts as many samples as its buckets hold, and sums what it took', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.double(), fc.anything(), fc.integer())), (values) => {
        const handle = histogram();
        for (const value of values as number[]) handle.observe(value);
        const taken = values.filter(isRecordable);
        expect(handle.count).toBe(taken.length);
        expect(handle.sum).toBe(taken.reduce((sum, value) => sum + value, 0));
        expect(handle.sum).toBeLessThan(Infinity);
      }),
    );
  });
});

describe('a detached handle', () => {
  it('records nowhere, and leaves the series as it was', () => {
    for (const [handle, record] of [
      [counter(), (h: Counter) => h.inc(3)],
      [gauge(), (h: Gauge) => h.set(3)],
      [histogram(), (h: Histogram) => h.observe(3)],
    ] as [Counter & Gauge & Histogram, (h: unknown) => void][]) {
      record(handle);
      const { cells } = handle;
      const before = [...cells];
      handle.detach();
      record(handle);
      expect([...cells]).toEqual(before);
      expect(handle.cells).toHaveLength(cells.length);
      expect(handle.cells).not.toBe(cells);
    }
  });
});

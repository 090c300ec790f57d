/** Bytes, not time: what recording allocates and what it leaves behind. Each script says what it measures. */
import { describe, expect, it } from 'vitest';
import { compiledPackage } from './run-child.js';

const run = compiledPackage();

/** Bytes per request. */
interface Held {
  readonly finish: number;
  readonly abort: number;
  readonly open: number;
  readonly dropped: number;
  readonly inFlight: number;
}

describe('bytes allocated', { timeout: 60_000 }, () => {
  it('per output are none, on a source that allocates none itself', () => {
    const { bare, recorded } = run<{ bare: number; recorded: number }>('outputs.mjs');
    expect(bare).toBeLessThan(0.5);
    expect(recorded).toBeLessThan(0.5);
  });

  it('per step are those of two readings of the wall clock', () => {
    const { bare, usual, full } = run<{ bare: number; usual: number; full: number }>('records.mjs');
    expect(bare).toBeLessThan(0.5);
    // The last-step gauge and the stamp of the stats ask `Date.now()`, boxed by V8: 16 bytes each. The record adds none.
    expect(usual).toBeLessThan(32.5);
    // Two fractions of a sampled eviction, boxed on their way into a histogram.
    expect(full).toBeLessThan(96);
  });

  it('per tick of the stats log are bounded, and none is held', () => {
    const { allocated, retained, lines } = run<Record<string, number>>('stats-log.mjs');
    expect(lines).toBeGreaterThan(0);
    expect(allocated).toBeLessThan(8 * 16_384);
    expect(retained).toBeLessThan(256); // an entry that is kept is above 1,000
  });
});

describe('bytes held', { timeout: 60_000 }, () => {
  it('per ended request are none, and none of ours with its Subscription kept', () => {
    const held = run<Held>('requests.mjs');
    // A kept Subscription of `tap(noop)` is 60 to 120 bytes; a recorder would add more than 400.
    expect(held.finish).toBeLessThan(300);
    expect(held.abort).toBeLessThan(300);
    // Source, both subscribers and the operator are 430 to 490 bytes, with the recorder kept 920 to 960.
    expect(held.open).toBeLessThan(700);
    expect(held.dropped).toBeLessThan(50);
    expect(held.inFlight).toBe(0);
  });
});

describe('what is held weakly', { timeout: 60_000 }, () => {
  const weak = () =>
    run<{ recorders: Record<string, [number, number]>; disposed: [number, number] }>('weak.mjs');

  it('is collected: recorders after the terminal record, an instance after dispose', () => {
    const { recorders, disposed } = weak();
    for (const [ending, [settled, collected]] of Object.entries(recorders)) {
      expect(settled, ending).toBe(50);
      // A stale stack slot of V8's may hold the last one (seen once in a dozen runs); a recorder that is kept is kept 50 times.
      expect(collected, ending).toBeGreaterThanOrEqual(49);
    }
    expect(Object.keys(recorders)).toEqual(['finish', 'complete', 'error', 'unsubscribe', 'take']);
    expect(disposed).toEqual([3, 3]);
  });
});

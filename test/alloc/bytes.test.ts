/** Bytes, not time: what recording allocates and what it leaves behind. Each script says what it measures. */
import { describe, expect, it } from 'vitest';
import { compiledPackage } from './run-child.js';

const run = compiledPackage();

describe('bytes allocated', { timeout: 60_000 }, () => {
  it('per output are none, on a source that allocates none itself', () => {
    const { bare, recorded } = run<{ bare: number; recorded: number }>('outputs.mjs');
    expect(bare).toBeLessThan(0.5);
    expect(recorded).toBeLessThan(0.5);
  });

  it('per scheduler record are none', () => {
    const { bare, usual, full } = run<{ bare: number; usual: number; full: number }>('records.mjs');
    expect(bare).toBeLessThan(0.5);
    expect(usual).toBeLessThan(0.5);
    // Two fractions of a sampled eviction, boxed on their way into a histogram.
    expect(full).toBeLessThan(64);
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
    const held = run<Record<string, [ours: number, plain: number]> & { dropped: number; inFlight: number }>(
      'requests.mjs',
    );
    // A recorder and its plan are above 300 bytes; two runs differ by less than 60.
    for (const ending of ['finish', 'abort']) {
      const [ours, plain] = held[ending]!;
      expect(ours, ending).toBeLessThan(plain + 100);
    }
    expect(held.dropped).toBeLessThan(50);
    expect(held.inFlight).toBe(0);
  });
});

describe('what is held weakly', { timeout: 60_000 }, () => {
  const weak = () =>
    run<{ recorders: Record<string, [number, number]>; disposed: [number, number] }>('weak.mjs');

  it('is collected: recorders after the terminal record, an instance after dispose', () => {
    const { recorders, disposed } = weak();
    for (const [ending, counts] of Object.entries(recorders)) expect(counts, ending).toEqual([50, 50]);
    expect(Object.keys(recorders)).toEqual(['finish', 'complete', 'error', 'unsubscribe', 'take']);
    expect(disposed).toEqual([3, 3]);
  });
});

import { describe, expect, it } from 'vitest';
import { HitRate } from '../../../src/serving/stats-log/figures.js';

describe('HitRate', () => {
  it('is unknown before the first query', () => {
    expect(new HitRate().update(0, 0)).toBeUndefined();
  });

  it('is of the interval alone', () => {
    const rate = new HitRate();
    expect(rate.update(100, 25)).toBe(0.25);
    expect(rate.update(100, 75)).toBe(0.75);
  });

  it('is 0 after an interval with queries and no hits', () => {
    const rate = new HitRate();
    rate.update(4, 4);
    expect(rate.update(4, 0)).toBe(0);
  });

  it('stays over intervals without queries', () => {
    const rate = new HitRate();
    rate.update(100, 25);
    expect(rate.update(0, 0)).toBe(0.25);
  });

  it('is never above 1', () => {
    expect(new HitRate().update(1, 3)).toBe(1);
  });
});

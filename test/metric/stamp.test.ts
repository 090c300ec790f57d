import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Stamp, stamped } from '../../src/metric/stamp.js';

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

it('adds nothing to a sample before its process knows anything', () => {
  expect(stamped(new Stamp('m/0'))).toBeUndefined();
});

it('adds the time that it was set, under its key', () => {
  const stamp = new Stamp('m/0');
  stamp.now();
  expect(stamped(stamp)).toEqual({ 'm/0': 1_700_000_000_000 });
  vi.advanceTimersByTime(1);
  stamp.now();
  expect(stamped(stamp)).toEqual({ 'm/0': 1_700_000_000_001 });
});

it('takes a clock at 0 or before for none', () => {
  const stamp = new Stamp('m/0');
  for (const at of [0, -1]) expect(stamped(Object.assign(stamp, { at }))).toBeUndefined();
});

it('adds nothing any more once it was forgotten', () => {
  const stamp = new Stamp('m/0');
  stamp.now();
  stamp.forget();
  expect(stamped(stamp)).toBeUndefined();
});

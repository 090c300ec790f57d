import { afterEach, expect, it, vi } from 'vitest';
import { onInterrupt } from '../../../src/demo/terminal/interrupt.js';

const before = process.listeners('SIGINT');
afterEach(() => {
  vi.restoreAllMocks();
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    for (const listener of process.listeners(name))
      if (!before.includes(listener)) process.off(name, listener);
  }
});

it('takes the two signals that one Ctrl-C is under npm as one', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const stop = vi.fn();
  const release = onInterrupt(stop);
  process.emit('SIGINT', 'SIGINT');
  process.emit('SIGINT', 'SIGINT');
  release();
  process.emit('SIGINT', 'SIGINT');
  expect(stop).toHaveBeenCalledTimes(1);
  expect(kill).not.toHaveBeenCalled();
});

it('ends the process at a second Ctrl-C', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onInterrupt(() => {});
  process.emit('SIGINT', 'SIGINT');
  now.mockReturnValue(2000);
  process.emit('SIGINT', 'SIGINT');
  expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT');
});

it('leaves nothing behind if nobody interrupts', () => {
  onInterrupt(() => {})();
  expect(process.listeners('SIGINT')).toEqual(before);
});

import { afterEach, expect, it, vi } from 'vitest';
import { onInterrupt } from '../../../src/demo/terminal/interrupt.js';
import { forgetInterrupts, pressCtrlC } from '../../support/interrupts.js';

const before = process.listeners('SIGINT');
afterEach(() => vi.restoreAllMocks());
forgetInterrupts();

it('takes the two signals that one Ctrl-C is under npm as one', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const stop = vi.fn();
  const release = onInterrupt(stop);
  pressCtrlC();
  pressCtrlC();
  release();
  pressCtrlC();
  expect(stop).toHaveBeenCalledTimes(1);
  expect(kill).not.toHaveBeenCalled();
});

it('ends the process at a second Ctrl-C', () => {
  const kill = vi.spyOn(process, 'kill').mockReturnValue(true);
  const now = vi.spyOn(performance, 'now').mockReturnValue(0);
  onInterrupt(() => {});
  pressCtrlC();
  now.mockReturnValue(2000);
  pressCtrlC();
  expect(kill).toHaveBeenCalledWith(process.pid, 'SIGINT');
});

it('leaves nothing behind if nobody interrupts', () => {
  onInterrupt(() => {})();
  expect(process.listeners('SIGINT')).toEqual(before);
});

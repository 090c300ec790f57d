import { expect, it } from 'vitest';
import { engineOutput, schedulerStats } from '../../src/testing/index.js';

it('makes an output of so many tokens, with the wire’s defaults', () => {
  const { engineIndex, timestamp, output } = engineOutput(3);
  expect([engineIndex, timestamp]).toEqual([0, 0]);
  expect(output.newTokenIds).toHaveLength(3);
  expect(output).toMatchObject({ requestId: 'request', numNansInLogits: 0 });
  for (const field of ['finishReason', 'events', 'prefillStats'] as const)
    expect(output[field]).toBeUndefined();
});

it('takes token ids as they are', () => {
  const ids = [7, 8];
  expect(engineOutput(ids).output.newTokenIds).toBe(ids);
  expect(engineOutput([]).output.newTokenIds).toEqual([]);
});

it('takes every option', () => {
  const events = [{ type: 'queued' as const, timestamp: 1 }];
  const prefillStats = { numPromptTokens: 4 };
  const made = engineOutput(1, {
    timestamp: 2.5,
    finishReason: 'stop',
    events,
    prefillStats,
    engineIndex: 3,
    requestId: 'r',
  });
  expect([made.engineIndex, made.timestamp]).toEqual([3, 2.5]);
  expect(made.output).toMatchObject({ requestId: 'r', finishReason: 'stop', events, prefillStats });
});

it('makes outputs of one shape, so that code under test is as fast as it is', () => {
  const keys = (made: ReturnType<typeof engineOutput>) => Object.keys(made.output).join();
  expect(keys(engineOutput(1, { finishReason: 'stop', requestId: 'r' }))).toBe(keys(engineOutput(0)));
  expect(Object.keys(engineOutput(0))).toEqual(['engineIndex', 'timestamp', 'output']);
});

it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses %s as a number of tokens', (newTokens) => {
  expect(() => engineOutput(newTokens)).toThrow(RangeError);
  expect(() => engineOutput(newTokens)).toThrow(/engineOutput\.newTokens: expected a whole number/);
});

it('makes idle scheduler stats, with what is given in place', () => {
  expect(schedulerStats()).toMatchObject({
    numRunningReqs: 0,
    numWaitingReqs: 0,
    numSkippedWaitingReqs: 0,
    kvCacheUsage: 0,
  });
  const given = { numRunningReqs: 2, kvCacheUsage: 0.5, prefixCacheStats: { queries: 1 } };
  expect(schedulerStats(given)).toMatchObject(given);
  expect(Object.keys(schedulerStats(given))).toEqual(Object.keys(schedulerStats()));
});

import { of, Subject } from 'rxjs';
import { expect, it, vi } from 'vitest';
import { type EngineCoreStreamOutput, withRequestMetrics } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { recording } from '../support/recording.js';

const tokens = Array.from({ length: 100 }, (_, i) => engineOutput(1, { timestamp: i }));
const final = engineOutput(1, { timestamp: 100, finishReason: 'stop' });
const request = { numPromptTokens: 1, engineIndex: 0 };

it('reads the clock once at subscription, at the first token and at the end', () => {
  const reads: string[] = [];
  let now = 'applying';
  const clock = {
    now: () => {
      reads.push(now);
      return 0;
    },
  };
  const { metrics } = recording({ clock });
  const source = new Subject<EngineCoreStreamOutput>();
  const stream = source.pipe(withRequestMetrics(metrics, { ...request, arrivalTimeMs: 0 }));
  now = 'subscribing';
  stream.subscribe();
  now = 'an output without tokens';
  source.next(engineOutput(0));
  now = 'the first token';
  source.next(tokens[0]!);
  now = 'later tokens';
  for (const token of tokens.slice(1)) source.next(token);
  now = 'the end';
  source.next(final);
  now = 'after the end';
  source.next(final);
  source.complete();
  expect(reads).toEqual(['subscribing', 'the first token', 'the end']);
});

it('compares an arrival time with the wall clock once, and no other request with it at all', () => {
  const wall = vi.spyOn(Date, 'now');
  const monotonic = vi.spyOn(performance, 'now');
  try {
    const { metrics } = recording();
    of(...tokens, final)
      .pipe(withRequestMetrics(metrics, request))
      .subscribe();
    expect([wall.mock.calls.length, monotonic.mock.calls.length]).toEqual([0, 3]);
    of(...tokens, final)
      .pipe(withRequestMetrics(metrics, { ...request, arrivalTimeMs: 1 }))
      .subscribe();
    expect([wall.mock.calls.length, monotonic.mock.calls.length]).toEqual([1, 6]);
  } finally {
    vi.restoreAllMocks();
  }
});

it('is not led astray by a step of the wall clock', () => {
  const { metrics } = recording();
  const { e2eRequestLatencySeconds, timeToFirstTokenSeconds } = metrics.forEngine(0);
  const source = new Subject<EngineCoreStreamOutput>();
  source.pipe(withRequestMetrics(metrics, { ...request, arrivalTimeMs: Date.now() - 2000 })).subscribe();
  const wall = vi.spyOn(Date, 'now').mockReturnValue(0);
  try {
    source.next(tokens[0]!);
    wall.mockReturnValue(1e15);
    source.next(final);
  } finally {
    vi.restoreAllMocks();
  }
  for (const { sum } of [timeToFirstTokenSeconds, e2eRequestLatencySeconds]) {
    expect(sum).toBeGreaterThanOrEqual(2);
    expect(sum).toBeLessThan(10);
  }
});

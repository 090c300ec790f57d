/** Requests with anything in any field. */
import fc from 'fast-check';
import { of } from 'rxjs';
import { expect, it } from 'vitest';
import { type EngineCoreStreamOutput, type RequestInfo, withRequestMetrics } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { recording } from '../support/recording.js';
import { corrupt, edits } from './corrupt.js';
import { hostile } from './hostile.js';
import { faults } from './invariants.js';

const optional = ['requestId', 'arrivalTimeMs', 'maxTokens', 'n', 'loraName', 'parent', 'unsubscribeReason'];
const outputs = [engineOutput(1, { timestamp: 1 }), engineOutput(1, { timestamp: 2, finishReason: 'stop' })];

function request(): RequestInfo {
  return {
    numPromptTokens: 3,
    engineIndex: 0,
    requestId: 'a',
    arrivalTimeMs: Date.now(),
    maxTokens: 5,
    n: 1,
    loraName: 'adapter',
    unsubscribeReason: () => 'stop',
  };
}

/** One request of two outputs, one without an end. */
function serve(
  metrics: Parameters<typeof withRequestMetrics>[0],
  info: RequestInfo,
): EngineCoreStreamOutput[] {
  const seen: EngineCoreStreamOutput[] = [];
  const operator = withRequestMetrics(metrics, info);
  of(...outputs)
    .pipe(operator)
    .subscribe((value) => seen.push(value));
  of(outputs[0]!).pipe(operator).subscribe().unsubscribe();
  return seen;
}

it('takes anything odd in the optional fields as absent, with a diagnostic', async () => {
  const run = fc.asyncProperty(edits(optional), async (changes) => {
    const recorded = recording({ engines: [0] });
    const before = await recorded.samples();
    expect(serve(recorded.metrics, corrupt(request(), changes))).toEqual(outputs);
    expect(await faults(before, recorded)).toEqual([]);
    const page = await recorded.samples();
    expect(Object.values(page.success()).reduce((sum, n) => sum + n, 0)).toBe(2);
    expect(page.histogram('e2e_request_latency_seconds')[0]).toBe(2);
    expect(page.inFlight()).toBe(0);
  });
  await fc.assert(run, { numRuns: 250 });
}, 60_000);

it('refuses a bad prompt length or engine at once, and records nothing', async () => {
  const isAbsent = (value: unknown) => value === undefined || value === null;
  const isBad = (value: unknown) =>
    !isAbsent(value) && !(Number.isSafeInteger(value) && (value as number) >= 0);
  const run = fc.asyncProperty(
    fc.constantFrom('numPromptTokens', 'engineIndex'),
    hostile,
    async (field, { make }) => {
      const value = make();
      if (!isBad(value)) return;
      const recorded = recording({ engines: [0] });
      const before = await recorded.samples();
      expect(() => serve(recorded.metrics, { ...request(), [field]: value })).toThrow(/^withRequestMetrics/);
      expect(await faults(before, recorded)).toEqual([]);
      expect(recorded.metrics.inFlight).toBe(0);
    },
  );
  await fc.assert(run, { numRuns: 200 });
}, 60_000);

it.each([undefined, null, 7, 'request', Symbol('request')])('refuses %s as a request', (info) => {
  const { metrics } = recording();
  expect(() => withRequestMetrics(metrics, info as unknown as RequestInfo)).toThrow(TypeError);
});

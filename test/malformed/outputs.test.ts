/** Outputs with anything in any field. */
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { type EngineCoreStreamOutput, withRequestMetrics } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { brokenIdentities } from '../model/identities.js';
import { recording } from '../support/recording.js';
import { corrupt, type Edit, edits } from './corrupt.js';
import { hostile } from './hostile.js';
import { faults } from './invariants.js';

const prefill = [
  '',
  '.numPromptTokens',
  '.numComputedTokens',
  '.numCachedTokens',
  '.numLocalCachedTokens',
  '.numExternalCachedTokens',
];
const fields = [
  'newTokenIds',
  'newTokenIds',
  'finishReason',
  'events',
  'events.0',
  'events.0.type',
  'events.1.timestamp',
  'numNansInLogits',
  ...prefill.map((name) => `prefillStats${name}`),
];
const paths = ['timestamp', 'timestamp', 'engineIndex', 'output', ...fields.map((name) => `output.${name}`)];

const one = fc.record({
  tokens: fc.nat({ max: 3 }),
  time: fc.nat({ max: 100 }),
  full: fc.boolean(),
  changes: fc.option(edits(paths), { nil: [] as Edit[] }),
});

function outputOf({
  tokens,
  time,
  full,
  changes,
}: {
  tokens: number;
  time: number;
  full: boolean;
  changes: Edit[];
}): EngineCoreStreamOutput {
  const events = [
    { type: 'queued' as const, timestamp: time },
    { type: 'scheduled' as const, timestamp: time + 1 },
  ];
  const prefillStats = {
    numPromptTokens: 9,
    numComputedTokens: 4,
    numCachedTokens: 5,
    numLocalCachedTokens: 2,
    numExternalCachedTokens: 3,
  };
  const value = engineOutput(tokens, { timestamp: time, ...(full && { events, prefillStats }) });
  return corrupt(value, changes);
}

const ends = {
  complete: (source: Subject<EngineCoreStreamOutput>) => source.complete(),
  error: (source: Subject<EngineCoreStreamOutput>) => source.error('the end'),
};

it('mirrors any outputs, records each request once, and keeps the page whole', async () => {
  const run = fc.asyncProperty(
    fc.array(one, { minLength: 1, maxLength: 8 }),
    fc.constantFrom('complete' as const, 'error' as const),
    async (outputs, end) => {
      const recorded = recording({ engines: [0] });
      const before = await recorded.samples();
      const source = new Subject<EngineCoreStreamOutput>();
      const seen: unknown[] = [];
      source.pipe(withRequestMetrics(recorded.metrics, { numPromptTokens: 9, engineIndex: 0 })).subscribe({
        next: (value) => seen.push(value),
        error: (error) => seen.push(error),
        complete: () => seen.push('the end'),
      });
      const values = outputs.map(outputOf);
      for (const value of values) source.next(value);
      ends[end](source);
      expect(seen.length).toBe(values.length + 1);
      expect([...values, 'the end'].every((value, i) => value === seen[i])).toBe(true);
      expect(await faults(before, recorded)).toEqual([]);
      // What a getter threw away is lost of its output alone: tokens and their sample are two steps of it.
      expect(brokenIdentities(await recorded.samples(), 0)).toEqual([]);
    },
  );
  await fc.assert(run, { numRuns: 400 });
}, 60_000);

it('mirrors values that are no outputs at all', async () => {
  const run = fc.asyncProperty(fc.array(hostile, { maxLength: 5 }), async (made) => {
    const values = made.map(({ make }) => make());
    const recorded = recording({ engines: [0] });
    const before = await recorded.samples();
    const source = new Subject<EngineCoreStreamOutput>();
    const seen: unknown[] = [];
    const operator = withRequestMetrics(recorded.metrics, { numPromptTokens: 9, engineIndex: 0 });
    const subscription = source.pipe(operator).subscribe((value) => seen.push(value));
    for (const value of values) source.next(value as EngineCoreStreamOutput);
    subscription.unsubscribe();
    expect(values.every((value, i) => Object.is(value, seen[i]))).toBe(true);
    expect(await faults(before, recorded)).toEqual([]);
    expect((await recorded.samples()).success()).toEqual({ abort: 1 });
  });
  await fc.assert(run, { numRuns: 200 });
}, 60_000);

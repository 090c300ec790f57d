import { expect, it } from 'vitest';
import type { SpecDecodingOptions } from '../../../src/simulator/index.js';
import { outputsOf, request, runFleet } from '../run-fleet.js';

function draft(specDecoding: SpecDecodingOptions, requests = [request('r', { numOutputTokens: 5000 })]) {
  const run = runFleet({ requests, specDecoding });
  const stats = run.batches.flatMap((batch) => batch.schedulerStats?.specDecodingStats ?? []);
  const sum = (key: 'numDrafts' | 'numDraftTokens' | 'numAcceptedTokens') =>
    stats.reduce((total, part) => total + part[key]!, 0);
  const perPosition = (key: 'numAcceptedTokensPerPos' | 'numDraftTokensPerPos') =>
    stats.reduce<number[]>((total, part) => part[key]!.map((count, i) => count + (total[i] ?? 0)), []);
  return { run, stats, sum, perPosition };
}

it('adds up: a draft a decode output, and every accepted token is delivered', () => {
  const requests = Array.from({ length: 20 }, (_, i) => request(`r${i}`, { numOutputTokens: 1 + 9 * i }));
  const { run, sum, perPosition } = draft({ numSpecTokens: 3, acceptanceRate: 0.6 }, requests);
  const outputs = outputsOf(run);
  const tokens = outputs.reduce((total, { newTokenIds }) => total + newTokenIds.length, 0);
  expect(tokens).toBe(requests.reduce((total, { numOutputTokens }) => total + numOutputTokens, 0));
  expect(sum('numDrafts')).toBe(outputs.length - requests.length);
  expect(tokens).toBe(requests.length + sum('numDrafts') + sum('numAcceptedTokens'));
  expect(sum('numDraftTokens')).toBe(3 * sum('numDrafts'));
  const add = (counts: number[]) => counts.reduce((a, b) => a + b, 0);
  expect(add(perPosition('numAcceptedTokensPerPos'))).toBe(sum('numAcceptedTokens'));
  expect(add(perPosition('numDraftTokensPerPos'))).toBe(sum('numDraftTokens'));
});

it('accepts each position with its own rate, given those before it', () => {
  const { sum, perPosition } = draft({ numSpecTokens: 3, acceptanceRate: [0.8, 0.5, 0.25] });
  const rates = perPosition('numAcceptedTokensPerPos').map((count) => count / sum('numDrafts'));
  expect(rates[0]).toBeCloseTo(0.8, 1);
  expect(rates[1]).toBeCloseTo(0.4, 1);
  expect(rates[2]).toBeCloseTo(0.1, 1);
});

it.each([
  [1, 4],
  [0, 1],
])('at an acceptance rate of %d sends %d tokens an output', (acceptanceRate, perOutput) => {
  const requests = [request('r', { numOutputTokens: 1 + 4 * perOutput })];
  const { run } = draft({ numSpecTokens: 3, acceptanceRate }, requests);
  const lengths = outputsOf(run).map(({ newTokenIds }) => newTokenIds.length);
  expect(lengths).toEqual([1, perOutput, perOutput, perOutput, perOutput]);
});

it('has no stats in a step without a draft, and none at all when it is off', () => {
  const { run } = draft({ numSpecTokens: 2, acceptanceRate: 0.5 }, [request('r')]);
  expect(run.batches[0]?.schedulerStats?.specDecodingStats).toBeUndefined();
  expect(run.batches[1]?.schedulerStats?.specDecodingStats?.numDrafts).toBe(1);
  const off = runFleet({ requests: [request('r')] });
  expect(off.batches.every((batch) => batch.schedulerStats?.specDecodingStats === undefined)).toBe(true);
});

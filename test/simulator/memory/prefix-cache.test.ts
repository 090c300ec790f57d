import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outputsOf, request, runFleet, total } from '../run-fleet.js';

const BLOCK = 8;

/** Content of a prompt's blocks; the hash of a block is the whole path to it. */
const prompts = fc.array(
  fc.record({
    content: fc.array(fc.constantFrom('a', 'b'), { maxLength: 5 }),
    rest: fc.integer({ min: 0, max: BLOCK - 1 }),
  }),
  { minLength: 1, maxLength: 25 },
);

it('hits what a count of shared blocks gives', () => {
  fc.assert(
    fc.property(prompts, (items) => {
      const seen = new Set<string>();
      const expected: number[] = [];
      const requests = items.map(({ content, rest }, i) => {
        const blockHashes = content.map((_, block) => content.slice(0, block + 1).join('/'));
        const numPromptTokens = Math.max(1, content.length * BLOCK + rest);
        const miss = blockHashes.findIndex((hash) => !seen.has(hash));
        const shared = miss < 0 ? blockHashes.length : miss;
        expected.push(Math.min(shared * BLOCK, numPromptTokens - 1));
        for (const hash of blockHashes) seen.add(hash);
        return request(`r${i}`, { numPromptTokens, blockHashes, arrivalTimeMs: i * 1000 });
      });
      const run = runFleet({ requests, blockSize: BLOCK });
      const cached = outputsOf(run).flatMap(({ prefillStats }) => prefillStats?.numCachedTokens ?? []);
      expect(cached).toEqual(expected);
      const sum = expected.reduce((a, b) => a + b, 0);
      expect(total(run, (batch) => batch.schedulerStats?.prefixCacheStats?.hits)).toBe(sum);
      const queries = requests.reduce((a, b) => a + b.numPromptTokens, 0);
      expect(total(run, (batch) => batch.schedulerStats?.prefixCacheStats?.queries)).toBe(queries);
      expect(total(run, (batch) => batch.schedulerStats?.prefixCacheStats?.requests)).toBe(items.length);
    }),
    { numRuns: 100 },
  );
});

it('computes one token of a prompt that is cached as a whole', () => {
  const same = { numPromptTokens: 1000, blockHashes: Array.from({ length: 125 }, (_, i) => i) };
  const requests = [request('first', same), request('second', { ...same, arrivalTimeMs: 1000 })];
  const run = runFleet({ requests, blockSize: 8 });
  expect(outputsOf(run, 'second')[0]?.prefillStats).toEqual({
    numPromptTokens: 1000,
    numComputedTokens: 1,
    numCachedTokens: 999,
    numLocalCachedTokens: 999,
    numExternalCachedTokens: 0,
    numCacheCreationTokens: 0,
  });
});

it('evicts what was freed first', () => {
  const one = (id: string, hash: string, arrivalTimeMs: number) =>
    request(id, { numPromptTokens: 9, numOutputTokens: 1, blockHashes: [hash], arrivalTimeMs });
  const requests = [
    one('a', 'A', 0),
    one('b', 'B', 100),
    one('c', 'C', 200),
    one('d', 'B', 300),
    one('e', 'A', 400),
  ];
  const run = runFleet({ requests, blockSize: 8, numKvBlocks: 3 });
  const cached = outputsOf(run).map(({ prefillStats }) => prefillStats?.numCachedTokens);
  expect(cached).toEqual([0, 0, 0, 8, 0]);
});

it('evicts the end of a prompt before its start', () => {
  const two = (id: string, hashes: string[], arrivalTimeMs: number) =>
    request(id, { numPromptTokens: 16, numOutputTokens: 1, blockHashes: hashes, arrivalTimeMs });
  const other = request('other', { numPromptTokens: 9, numOutputTokens: 1, arrivalTimeMs: 100 });
  const requests = [two('a', ['A', 'AB'], 0), other, two('c', ['A', 'AB'], 200)];
  const run = runFleet({ requests, blockSize: 8, numKvBlocks: 3 });
  expect(outputsOf(run, 'c')[0]?.prefillStats?.numCachedTokens).toBe(8);
});

it('caches a hash once, however often it comes up', () => {
  const requests = [request('r', { numPromptTokens: 24, blockHashes: ['A', 'A', 'A'] })];
  const run = runFleet({ requests, blockSize: 8 });
  expect(run.fleet.snapshot(0)).toMatchObject({ numCachedKvBlocks: 1, numUsedKvBlocks: 0 });
});

it('looks nothing up without prefix caching', () => {
  const requests = [0, 1].map((i) =>
    request(`r${i}`, { numPromptTokens: 8, blockHashes: [1], arrivalTimeMs: i * 99 }),
  );
  const run = runFleet({ requests, blockSize: 8, prefixCaching: false });
  expect(total(run, (batch) => batch.schedulerStats?.prefixCacheStats?.queries)).toBe(0);
  expect(outputsOf(run, 'r1')[0]?.prefillStats?.numComputedTokens).toBe(8);
});

it('counts the look-ups of preempted requests apart, and keeps their first prefill record', () => {
  const requests = ['old', 'young'].map((id) =>
    request(id, { numPromptTokens: 16, numOutputTokens: 20, blockHashes: [`${id}1`, `${id}2`] }),
  );
  const run = runFleet({ requests, numKvBlocks: 5, blockSize: 8 });
  const sum = (key: 'requests' | 'queries' | 'preemptedRequests' | 'preemptedQueries') =>
    total(run, (batch) => batch.schedulerStats?.prefixCacheStats?.[key]);
  expect([sum('requests'), sum('queries'), sum('preemptedRequests')]).toEqual([2, 32, 1]);
  expect(sum('preemptedQueries')).toBeGreaterThan(16);
  const records = outputsOf(run, 'young').flatMap(({ prefillStats }) => prefillStats ?? []);
  expect(records.map(({ numComputedTokens }) => numComputedTokens)).toEqual([16]);
});

it('reports the lives of sampled blocks when they are evicted', () => {
  const step = { baseMs: 10, perPrefillTokenMs: 0, perDecodeSeqMs: 0 };
  const one = (id: string, hash: string, arrivalTimeMs: number) =>
    request(id, { numPromptTokens: 9, numOutputTokens: 1, blockHashes: [hash], arrivalTimeMs });
  const requests = [one('a', 'A', 0), one('b', 'A', 100), one('c', 'A', 300), one('d', 'B', 1000)];
  const run = runFleet({ requests, blockSize: 8, numKvBlocks: 2, kvResidencySampleRate: 1, stepTime: step });
  const [event, ...more] = run.batches.flatMap((batch) => batch.schedulerStats?.kvCacheEvictionEvents ?? []);
  expect(more).toEqual([]);
  expect(event?.lifetimeSeconds).toBeCloseTo(1, 6);
  expect(event?.idleSeconds).toBeCloseTo(0.7, 6);
  expect(event?.reuseGapsSeconds?.length).toBe(1);
  expect(event?.reuseGapsSeconds?.[0]).toBeCloseTo(0.2, 6);
});

it('remembers the last four accesses of a sampled block', () => {
  const hits = Array.from({ length: 8 }, (_, i) =>
    request(`r${i}`, {
      numPromptTokens: 9,
      numOutputTokens: 1,
      blockHashes: ['A'],
      arrivalTimeMs: 100 * i * i,
    }),
  );
  const last = request('last', { numPromptTokens: 9, numOutputTokens: 1, arrivalTimeMs: 9000 });
  const run = runFleet({ requests: [...hits, last], blockSize: 8, numKvBlocks: 2, kvResidencySampleRate: 1 });
  const [event] = run.batches.flatMap((batch) => batch.schedulerStats?.kvCacheEvictionEvents ?? []);
  expect(event?.reuseGapsSeconds?.map((gap) => Math.round(gap * 10))).toEqual([9, 11, 13]);
});

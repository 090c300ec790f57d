/** Reloads: whatever a live instance of the model could still show stays, and counts never go back. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

/** Ways to make series that are not there from the start. */
const LATE: Readonly<Record<string, (rig: Rig, engine: number) => void>> = {
  'a draft position': (rig, engine) =>
    rig.stats({ specDecodingStats: { numDrafts: 1, numAcceptedTokensPerPos: [1, 1] } }, engine),
  'a store operation': (rig, engine) => {
    const record = { durationSeconds: 1, numKeys: 1, numBytes: 1, status: 'error', numFailedKeys: 1 };
    rig.stats({ kvConnectorStats: { load_get: [record] } }, engine);
  },
  'an unknown tier': (rig, engine) =>
    rig.stats({ connectorPrefixCacheStats: { queries: 9, hits: 3, hitsBySource: { tape: 3 } } }, engine),
  'an invalid value': (rig, engine) => rig.stats({ numRunningReqs: -1 }, engine),
  'a request': (rig, engine) => rig.request({ engineIndex: engine }).finish(),
  'a step': (rig, engine) => rig.batch({ engineIndex: engine }),
  'a rejection': (rig) => rig.metrics.recordAdmissionRejection('other' as never),
};

const kind = fc.constantFrom(...Object.keys(LATE));
const engine = fc.integer({ min: 0, max: 3 });
const acts = fc.array(fc.tuple(kind, engine, fc.nat()), { maxLength: 12 });
const reload = fc.record({
  acts,
  engines: fc.option(fc.subarray([0, 1, 2]), { nil: undefined }),
  drop: fc.nat(),
});

/** What only grows: counters and histograms, buckets included. */
function isCount(key: string): boolean {
  return /_(total|bucket|sum|count)\{/.test(key);
}

it('keep every count, over any instances, late series and orders of leaving', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(reload, { minLength: 1, maxLength: 4 }), async (reloads) => {
      const first = new Rig();
      let live = [first];
      let before: ReadonlyMap<string, number> = new Map();
      for (const { acts, engines, drop } of reloads) {
        for (const [name, index, which] of acts) LATE[name]!(live[which % live.length]!, index);
        live.push(first.sibling(engines === undefined ? {} : { engines }));
        const leaving = live[drop % live.length]!;
        before = await first.samples();
        leaving.metrics.dispose();
        live = live.filter((rig) => rig !== leaving);
        const after = await first.samples();
        const lost = [...before].filter(([key, value]) => isCount(key) && !((after.get(key) ?? -1) >= value));
        expect(lost).toEqual([]);
      }
      for (const rig of live) rig.metrics.dispose();
      expect((await first.samples()).size).toBe(0);
    }),
    { numRuns: 60 },
  );
});

/** The rules for draft positions and for steps, one row each. */
import { describe, expect, it } from 'vitest';
import { expectSamples } from './serve.js';
import { sendStats, sendSteps } from './step.js';

describe('draft positions', () => {
  const position = (n: number) => ({ position: String(n) });

  it('appear as they come, those before them too', async () => {
    const { page } = await sendStats(
      { specDecodingStats: { numAcceptedTokensPerPos: [3, 0, 1] } },
      { specDecodingStats: { numAcceptedTokensPerPos: [1] } },
    );
    const name = 'spec_decode_num_accepted_tokens_per_pos_total';
    expect([0, 1, 2, 3].map((n) => page.value(name, 0, position(n)))).toEqual([4, 0, 1, undefined]);
  });

  it('end at 255: beyond it they are ignored, with a diagnostic, and the page does not grow', async () => {
    const long = { specDecodingStats: { numAcceptedTokensPerPos: Array.from({ length: 100_000 }, () => 1) } };
    const { page, invalid } = await sendStats(long, long);
    const positions = [...page.all.keys()].filter((key) => key.includes('per_pos'));
    expect(positions).toHaveLength(256);
    expect(page.value('spec_decode_num_accepted_tokens_per_pos_total', 0, position(255))).toBe(2);
    expect(invalid).toEqual({ numAcceptedTokensPerPos: 2 });
  });

  it('that are unusable add 0', async () => {
    const { page, invalid } = await sendStats({
      specDecodingStats: { numAcceptedTokensPerPos: [1, -1, 'x', null, 2] },
    });
    expect(page.value('spec_decode_num_accepted_tokens_per_pos_total', 0, position(4))).toBe(2);
    expect(invalid).toEqual({ numAcceptedTokensPerPos: 2 });
  });
});

describe('a step', () => {
  it.each([-1, 1.5, Number.NaN, '0', undefined, null, {}, 2 ** 53])(
    'with engineIndex %s is ignored, with a diagnostic',
    async (engineIndex) => {
      const { page, invalid } = await sendSteps({
        engineIndex,
        outputs: [{ newTokenIds: [1] }],
        schedulerStats: { numRunningReqs: 5 },
      });
      expectSamples(page, { num_requests_running: 0, iteration_tokens_total: [0, 0] });
      expect(invalid).toEqual({ engineIndex: 1 });
    },
  );

  it('whose outputs are no list still has its stats recorded', async () => {
    const { page, invalid } = await sendSteps(
      { engineIndex: 0, outputs: 7, schedulerStats: { numRunningReqs: 5 } },
      { engineIndex: 0 },
    );
    expectSamples(page, { num_requests_running: 5, iteration_tokens_total: [0, 0] });
    expect(invalid).toEqual({ outputs: 1 });
  });

  it('whose stats are no object still has its outputs recorded', async () => {
    const { page, invalid } = await sendSteps({
      engineIndex: 0,
      outputs: [{ newTokenIds: [1, 2] }, null, {}, 7],
      schedulerStats: 'all well',
    });
    expectSamples(page, { iteration_tokens_total: [1, 2] });
    expect(invalid).toEqual({ schedulerStats: 1 });
  });

  it('without outputs makes no iteration sample; with outputs of unknown requests it does', async () => {
    const prefillStats = { numPromptTokens: 9, numComputedTokens: 4, numLocalCachedTokens: 5 };
    const { page } = await sendSteps(
      { engineIndex: 0, outputs: [] },
      { engineIndex: 0, outputs: [{ newTokenIds: [1], prefillStats }, { newTokenIds: [] }] },
      { engineIndex: 0, outputs: [{ newTokenIds: [] }] },
    );
    expectSamples(page, { iteration_tokens_total: [2, 5] });
  });
});

it('keeps the sum of waiting requests with its parts when one of them throws when read', async () => {
  const stats = Object.defineProperty({ numWaitingReqs: 7 }, 'numSkippedWaitingReqs', {
    enumerable: true,
    get: () => {
      throw new Error('a getter');
    },
  });
  const { page, invalid } = await sendStats({ numWaitingReqs: 3, numSkippedWaitingReqs: 1 }, stats);
  const part = (reason: string) => page.value('num_requests_waiting_by_reason', 0, { reason })!;
  expect(page.value('num_requests_waiting')).toBe(part('capacity') + part('deferred'));
  expect(invalid).toEqual({ recording: 1 });
});

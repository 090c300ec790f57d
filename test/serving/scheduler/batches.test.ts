import { describe, expect, it } from 'vitest';
import type { EngineCoreOutput, PrefillStats } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';

const FAMILY = 'vllm:iteration_tokens_total';

const output = (tokens: unknown, prefillStats?: unknown): EngineCoreOutput => ({
  requestId: 'r',
  newTokenIds: (typeof tokens === 'number' ? Array.from({ length: tokens }, () => 7) : tokens) as number[],
  prefillStats: prefillStats as PrefillStats,
});

async function sampled(rig: Rig): Promise<[count: number | undefined, sum: number | undefined]> {
  return [await rig.value(`${FAMILY}_count`), await rig.value(`${FAMILY}_sum`)];
}

describe('iteration tokens', () => {
  it('are one sample per batch that has outputs: new tokens and computed prompt tokens', async () => {
    const rig = new Rig({ engines: [0] });
    rig.batch({ outputs: [] });
    rig.stats({ numRunningReqs: 1 });
    expect(await sampled(rig)).toEqual([0, 0]);
    rig.batch({ outputs: [output(1), output(3), output(0, { numComputedTokens: 10, numPromptTokens: 99 })] });
    rig.batch({ outputs: [output(0)] });
    expect(await sampled(rig)).toEqual([2, 14]);
  });

  it('count every output, whether its request is known or not', async () => {
    const rig = new Rig();
    rig.batch({ outputs: [{ ...output(2), requestId: 'nobody' }] });
    expect(await sampled(rig)).toEqual([1, 2]);
  });

  it.each([undefined, null, -1, Number.NaN, Infinity, '5', {}])(
    'take computed tokens if they are valid, and report nothing: %s',
    async (numComputedTokens) => {
      const rig = new Rig();
      rig.batch({ outputs: [output(1, { numComputedTokens })] });
      expect([await sampled(rig), rig.sources()]).toEqual([[1, 1], []]);
    },
  );

  it.each([
    ['no list', true, 0],
    ['a string, which has a length too', 'abc', 0],
    ['something with a length', { length: 4 }, 0],
    ['something with an infinite length', { length: Infinity }, 0],
    ['null', null, 0],
    ['undefined', undefined, 0],
    ['a typed array', new Uint32Array(3), 3],
  ])('count tokens as the request does: %s', async (_, newTokenIds, expected) => {
    const rig = new Rig({ engines: [0] });
    const tokens = output(newTokenIds);
    rig.batch({ outputs: [tokens] });
    rig.request().source.next({ engineIndex: 0, timestamp: 1, output: tokens });
    expect(await sampled(rig)).toEqual([1, expected]);
    expect(await rig.value('vllm:generation_tokens_total')).toBe(expected);
  });

  it('are sampled beside outputs that are none', async () => {
    const rig = new Rig();
    rig.hostile({ engineIndex: 0, outputs: [null, undefined, 5, 'x', output(2)], timestamp: 1 });
    expect(await sampled(rig)).toEqual([1, 2]);
  });
});

describe('batches', () => {
  it('resolve engines at first use', async () => {
    const rig = new Rig();
    rig.stats({ numRunningReqs: 2 }, 41);
    expect(await rig.value('vllm:num_requests_running', 41)).toBe(2);
    expect(await rig.value('vllm:generation_tokens_total', 41)).toBe(0);
  });

  it.each([-1, 0.5, Number.NaN, '0', null, undefined, 2 ** 53])(
    'of an engine that none can be are ignored: %s',
    async (engineIndex) => {
      const rig = new Rig();
      rig.hostile({ engineIndex, outputs: [output(1)], schedulerStats: { numRunningReqs: 1 } });
      expect(rig.sources()).toEqual(['engineIndex']);
      const keys = [...(await rig.samples()).keys()];
      expect(keys.filter((key) => !key.startsWith('vllm:admission_rejections_total{'))).toHaveLength(1);
    },
  );

  it.each([5, 'x', true, [1]])('whose outputs are no list still give their stats: %s', async (outputs) => {
    const rig = new Rig();
    rig.hostile({ engineIndex: 0, outputs, schedulerStats: { numRunningReqs: 3 } });
    expect(await rig.value('vllm:num_requests_running')).toBe(3);
    expect(rig.sources()).toEqual(Array.isArray(outputs) ? [] : ['outputs']);
  });

  it('whose outputs cannot be read still give their stats', async () => {
    const rig = new Rig();
    const broken = Object.defineProperty({}, 'newTokenIds', {
      get() {
        throw new Error('getter');
      },
    });
    rig.hostile({ engineIndex: 0, outputs: [broken], schedulerStats: { numRunningReqs: 3 } });
    expect(await rig.value('vllm:num_requests_running')).toBe(3);
    expect(rig.sources()).toEqual(['recording']);
  });

  it.each([5, 'x', true])('whose stats are none are counted without them: %s', async (schedulerStats) => {
    const rig = new Rig();
    rig.hostile({ engineIndex: 0, outputs: [output(2)], schedulerStats });
    expect([await sampled(rig), rig.sources()]).toEqual([[1, 2], ['schedulerStats']]);
  });

  it.each([null, undefined, 5, 'x'])('that are none pass through: %s', (batch) => {
    const rig = new Rig();
    expect(() => rig.hostile(batch)).not.toThrow();
    rig.stats({ numRunningReqs: 1 });
    expect(rig.sources().length).toBeLessThanOrEqual(1);
  });
});

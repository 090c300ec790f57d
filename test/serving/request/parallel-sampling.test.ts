import { describe, expect, it } from 'vitest';
import type { ParallelSampling } from '../../../src/index.js';
import { ParallelSampling as Exported } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';

const MAX_TOKENS = 'vllm:request_max_num_generation_tokens';
const N = 'vllm:request_params_n';

async function observed(rig: Rig): Promise<(number | undefined)[]> {
  const names = [`${MAX_TOKENS}_count`, `${MAX_TOKENS}_sum`, `${N}_count`, `${N}_sum`];
  return Promise.all(names.map((name) => rig.value(name)));
}

/** A child that generates so many tokens and ends. */
function child(
  rig: Rig,
  parent: ParallelSampling,
  tokens: number,
  end: 'finish' | 'abort' | 'error' = 'finish',
) {
  const live = rig.request({ parent });
  if (tokens > 1) live.output(tokens - 1);
  if (end === 'finish') live.output(1, { finishReason: 'stop' });
  else live.output(1);
  if (end === 'abort') live.abort();
  if (end === 'error') live.source.error('e');
  return live;
}

describe('ParallelSampling', () => {
  it('observes n and the longest generation once, with the end of the last child', async () => {
    const rig = new Rig({ engines: [0] });
    const parent = rig.metrics.parallelSampling(3);
    child(rig, parent, 4);
    child(rig, parent, 9);
    expect(await observed(rig)).toEqual([0, 0, 0, 0]);
    child(rig, parent, 2);
    expect(await observed(rig)).toEqual([1, 9, 1, 3]);
  });

  it('counts aborted and failed children among the ended', async () => {
    const rig = new Rig();
    const parent = rig.metrics.parallelSampling(3);
    child(rig, parent, 7, 'abort');
    child(rig, parent, 2, 'error');
    child(rig, parent, 1);
    expect(await observed(rig)).toEqual([1, 7, 1, 3]);
  });

  it('observes nothing with fewer children', async () => {
    const rig = new Rig();
    const parent = rig.metrics.parallelSampling(3);
    child(rig, parent, 7);
    child(rig, parent, 7);
    expect(await observed(rig)).toEqual([0, 0, 0, 0]);
  });

  it('ignores more ends than children: each still makes its own terminal record', async () => {
    const rig = new Rig();
    const parent = rig.metrics.parallelSampling(2);
    for (const tokens of [1, 2, 30, 40]) child(rig, parent, tokens);
    expect(await observed(rig)).toEqual([1, 2, 1, 2]);
    expect(await rig.value('vllm:request_generation_tokens_count')).toBe(4);
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="stop"')).toBe(4);
  });

  it('counts prompt and generation tokens per child', async () => {
    const rig = new Rig();
    const parent = rig.metrics.parallelSampling(2);
    child(rig, parent, 3);
    child(rig, parent, 5);
    expect(await rig.value('vllm:prompt_tokens_total')).toBe(8);
    expect(await rig.value('vllm:generation_tokens_total')).toBe(8);
    expect(await rig.value('vllm:request_generation_tokens_sum')).toBe(8);
  });

  it('may span engines: the last child records on its own', async () => {
    const rig = new Rig();
    const parent = rig.metrics.parallelSampling(2);
    rig.request({ parent, engineIndex: 1 }).output(5).abort();
    rig.request({ parent, engineIndex: 2 }).output(1).abort();
    expect(await rig.value(`${MAX_TOKENS}_sum`, 1)).toBe(0);
    expect(await rig.value(`${MAX_TOKENS}_sum`, 2)).toBe(5);
  });

  it('with one child is as a request without a parent', async () => {
    const rig = new Rig();
    child(rig, rig.metrics.parallelSampling(1), 6);
    expect(await observed(rig)).toEqual([1, 6, 1, 1]);
  });

  it('observes nothing of its parent where the instance was disposed before the last end', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const parent = rig.metrics.parallelSampling(2);
    child(rig, parent, 1);
    const live = rig.request({ parent });
    rig.metrics.dispose();
    live.finish();
    expect(await observed(second)).toEqual([0, 0, 0, 0]);
  });

  it.each(['2', null, undefined, {}])('throws a TypeError on n = %s', (n) => {
    expect(() => new Rig().metrics.parallelSampling(n as number)).toThrow(TypeError);
    expect(() => new Exported(n as number)).toThrow(
      /^parallelSampling\.n: expected a whole number of at least 1/,
    );
  });

  it.each([0, -1, 1.5, Number.NaN, Infinity])('throws a RangeError on n = %d', (n) => {
    expect(() => new Rig().metrics.parallelSampling(n)).toThrow(RangeError);
  });

  it.each([5, 'x', {}, { n: 2 }, () => 1])('is no parent if it is something else: %s', async (parent) => {
    const rig = new Rig();
    rig
      .request({ parent: parent as ParallelSampling })
      .output(3)
      .finish();
    expect([await observed(rig), rig.sources()]).toEqual([[1, 4, 1, 1], ['parent']]);
  });
});

describe('n of a request without a parent', () => {
  it.each([
    [undefined, 1, []],
    [1, 1, []],
    [8, 8, []],
    [0, 1, ['n']],
    [-1, 1, ['n']],
    [1.5, 1, ['n']],
    ['3', 1, ['n']],
    [Number.NaN, 1, ['n']],
  ])('%s is observed as %d', async (n, expected, sources) => {
    const rig = new Rig();
    rig.request({ n: n as number }).finish();
    expect([(await observed(rig))[3], rig.sources()]).toEqual([expected, sources]);
  });
});

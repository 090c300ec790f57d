import { expect, it } from 'vitest';
import { Frontend } from '../support/frontend.js';
import { seen } from '../support/page.js';

/*
 * B29 https://github.com/vllm-project/vllm/issues/56361, https://github.com/vllm-project/vllm/issues/13792
 * The n sequences of a request run as requests of their own; only two metrics fold them back, which nobody had
 * written down.
 */
it('B29: four sequences of one parent are four requests, with one n and one longest generation', async () => {
  const frontend = new Frontend();
  const parent = frontend.metrics.parallelSampling(4);
  const children = [1, 2, 3, 4].map(() => frontend.arrive({ numPromptTokens: 10, parent }));
  for (const child of children) {
    for (let token = 1; token < 32; token++) child.out({ tok: 1 });
    child.out({ tok: 1, fin: 'length' });
  }

  const page = await frontend.page();
  expect(page.histograms('NPARAM', 'MAXGEN', 'E2E', 'GEN_HIST')).toEqual({
    NPARAM: seen(1, 4),
    MAXGEN: seen(1, 32),
    E2E: seen(4),
    GEN_HIST: seen(4, 128),
  });
  expect(page.endings()).toEqual({ length: 4 });
  expect([page.value('PTOK'), page.value('GTOK')]).toEqual([40, 128]);
});

/*
 * B31 https://github.com/llm-d/llm-d-inference-sim/issues/191, https://github.com/vllm-project/vllm/pull/9881
 * Python observes max_tokens only if it is truthy, and nowhere says so: implementers could not tell what an absent
 * limit is.
 */
it('B31: an absent max_tokens is no sample', async () => {
  const frontend = new Frontend();
  const { maxTokens: _, ...absent } = { maxTokens: undefined };
  for (const info of [absent, { maxTokens: null }, { maxTokens: 64 }])
    frontend.arrive(info).out({ tok: 1, fin: 'stop' });

  const page = await frontend.page();
  expect(page.histograms('MAXTOK')).toEqual({ MAXTOK: seen(1, 64) });
  expect(page.endings()).toEqual({ stop: 3 });
});

// The report wants 0 left out, as Python does. We follow the Rust frontend: 0 is a limit that somebody set.
it('B31: a max_tokens of 0 is a number and a sample', async () => {
  const frontend = new Frontend();
  frontend.arrive({ maxTokens: 0 }).out({ fin: 'length' });

  const page = await frontend.page();
  expect(page.histograms('MAXTOK')).toEqual({ MAXTOK: seen(1, 0) });
  expect(page.bucket('MAXTOK', '1.0')).toBe(1);
});

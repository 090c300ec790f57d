import { mergeAll, toArray } from 'rxjs';
import { expect, it } from 'vitest';
import type { FinishedRequestStats } from '../../../src/index.js';
import { Client, Frontend, output, queued, scheduled } from '../support/frontend.js';
import { NONE, type Page, seen } from '../support/page.js';

async function twoEmptyAborts(unknownIntervals: 'zero' | 'omit'): Promise<Page> {
  const frontend = new Frontend({ unknownIntervals });
  frontend.arrive({ F: 100 }).out({ E: 160, F: 160, fin: 'abort' });
  const b = frontend.arrive({ F: 100 });
  b.out({ E: 50.1, F: 100.1, tok: 1, ev: [queued(50), scheduled(50.05)] });
  b.out({ E: 80.1, F: 130.1, fin: 'abort' });
  return frontend.page();
}

/*
 * B18 https://github.com/vllm-project/vllm/pull/56236, https://github.com/mahimailabs/voicegateway/issues/280
 * Latency was kept for every output, tokens or not: a request cancelled in prefill added a first token of 60 s, one
 * cancelled in decode an inter-token gap as long as it took to notice the disconnect.
 */
it('B18: finish outputs without tokens are neither a first token nor a gap', async () => {
  const page = await twoEmptyAborts('omit');
  expect(page.endings()).toEqual({ abort: 2 });
  expect(page.histograms('TTFT', 'ITL', 'PREFILL', 'DECODE', 'INFER', 'E2E')).toEqual({
    TTFT: seen(1, 0.1),
    ITL: NONE,
    PREFILL: seen(1, 0.05),
    DECODE: seen(1, 0),
    INFER: seen(1, 0.05),
    E2E: seen(2, 60 + 30.1),
  });
});

// As in B11: by default A's unknown intervals are 0, as upstream's; the sums are those of B alone.
it('B18: by default a request cancelled in prefill adds 0 to the intervals it never had', async () => {
  expect((await twoEmptyAborts('zero')).histograms('TTFT', 'ITL', 'PREFILL', 'DECODE', 'INFER')).toEqual({
    TTFT: seen(1, 0.1),
    ITL: NONE,
    PREFILL: seen(2, 0.05),
    DECODE: seen(2, 0),
    INFER: seen(2, 0.05),
  });
});

/*
 * B20 https://github.com/vllm-project/vllm/pull/51261
 * The tokens of a step are told from outputs, and steps that only prefill emit none: a prompt of 10 computed as 4+4+2
 * shows as [11, 1]. No engine sends the step's size, so that is our rule too, as both of upstream's frontends have it.
 */
it('B20: a step counts what its outputs tell, the whole prompt with its first token', async () => {
  const frontend = new Frontend();
  frontend.step(undefined, [
    output({ tok: 1, prefill: { numPromptTokens: 10, numComputedTokens: 10 } }).output,
  ]);
  expect((await frontend.page()).histograms('ITER')).toEqual({ ITER: seen(1, 11) });

  frontend.step(undefined, [output({ tok: 1 }).output]);
  expect((await frontend.page()).histograms('ITER')).toEqual({ ITER: seen(2, 12) });
});

it('B20: the sizes of steps without outputs are on no wire and add no sample', async () => {
  const frontend = new Frontend();
  for (const scheduledTokens of [4, 4, 2, 1]) frontend.step({ iterationDetails: { scheduledTokens } });

  expect((await frontend.page()).histograms('ITER')).toEqual({ ITER: NONE });
});

// The report wants none: upstream has one sample a step with outputs, whatever they hold, and counts of steps compare.
it('B20: a step that holds one abort without tokens is one sample of 0', async () => {
  const frontend = new Frontend();
  frontend.step(undefined, [output({ fin: 'abort' }).output]);

  expect((await frontend.page()).histograms('ITER')).toEqual({ ITER: seen(1, 0) });
});

function threeOutputs(client: Client): void {
  client.out({ F: 0.4, E: 0.4, tok: 1 }).out({ F: 2, E: 2, tok: 1 }).out({ F: 5, E: 5, tok: 1, fin: 'stop' });
  client.source.complete();
}

/*
 * B21 https://github.com/BerriAI/litellm/issues/25598, https://github.com/BerriAI/litellm/pull/7740
 * On some routes the first token was stamped after the whole stream had been collected.
 */
it('B21: the first token is stamped as it passes, before a consumer that collects', async () => {
  const frontend = new Frontend().at(0);
  threeOutputs(new Client(frontend, (source) => source.pipe(frontend.operator(), toArray())));

  expect((await frontend.page()).histograms('TTFT', 'E2E')).toEqual({ TTFT: seen(1, 0.4), E2E: seen(1, 5) });
});

// A limit, stated at the operator. There is no helper for it: `finishedRequests` tells such a request by itself.
it('B21: after a buffer the first token comes with the last, and a finished request shows it', async () => {
  const frontend = new Frontend().at(0);
  const finished: FinishedRequestStats[] = [];
  frontend.metrics.finishedRequests.subscribe((stats) => finished.push(stats));
  threeOutputs(new Client(frontend, (source) => source.pipe(toArray(), mergeAll(), frontend.operator())));

  expect((await frontend.page()).histograms('TTFT', 'E2E')).toEqual({ TTFT: seen(1, 5), E2E: seen(1, 5) });
  expect(finished[0]).toMatchObject({ numGenerationTokens: 3, timeToFirstToken: 5, e2eLatency: 5 });
});

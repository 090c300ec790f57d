import { Subject, takeUntil } from 'rxjs';
import { expect, it } from 'vitest';
import { OutputRouter } from '../../../src/index.js';
import { Frontend, queued, scheduled } from '../support/frontend.js';
import { seen } from '../support/page.js';

/*
 * B01 https://github.com/vllm-project/vllm/issues/31503, https://github.com/vllm-project/vllm/pull/31537
 * The cancel path dropped the request's state without passing the code that records finished requests, so the abort
 * series stayed at 0 while clients kept leaving.
 */
it('B01: a client that leaves in mid-stream writes the whole terminal record, reason abort', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive({ F: 100, numPromptTokens: 10 });
  client.out({ E: 50.1, F: 100.2, tok: 1, ev: [queued(50), scheduled(50.02)] });
  client.out({ E: 50.2, F: 100.3, tok: 1 });
  client.unsubscribe(100.5);

  const page = await frontend.page();
  expect(page.endings()).toEqual({ abort: 1 });
  expect(page.histograms('E2E', 'TTFT', 'ITL')).toEqual({
    E2E: seen(1, 0.5),
    TTFT: seen(1, 0.2),
    ITL: seen(1, 0.1),
  });
  expect(page.histograms('QUEUE', 'PREFILL', 'DECODE', 'INFER')).toEqual({
    QUEUE: seen(1, 0.02),
    PREFILL: seen(1, 0.08),
    DECODE: seen(1, 0.1),
    INFER: seen(1, 0.18),
  });
  expect(page.histograms('GEN_HIST', 'PROMPT_HIST', 'PREEMPT_HIST')).toEqual({
    GEN_HIST: seen(1, 2),
    PROMPT_HIST: seen(1, 10),
    PREEMPT_HIST: seen(1, 0),
  });
});

/*
 * B03 https://github.com/vllm-project/vllm/issues/34691
 * An engine that pauses aborts its requests with outputs made of defaults only: no events, no prefill stats, no
 * counts. Code that read those fields misbehaved.
 */
it('B03: an abort output that carries nothing but its reason adds its record and no NaN', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive({ numPromptTokens: 4 });
  client.out({ E: 1, tok: 1, prefill: { numPromptTokens: 4 } });
  const bare = { requestId: 'request', newTokenIds: [], finishReason: 'abort' } as const;
  client.source.next({ engineIndex: 0, timestamp: 0, output: bare });
  client.source.complete();
  client.unsubscribe();

  const page = await frontend.page();
  expect(page.endings()).toEqual({ abort: 1 });
  expect(page.histograms('E2E', 'TTFT', 'ITL')).toEqual({ E2E: seen(1), TTFT: seen(1), ITL: seen(0) });
  expect([page.value('PTOK'), page.value('GTOK')]).toEqual([4, 1]);
  expect([...page.samples].filter(([, value]) => Number.isNaN(value))).toEqual([]);
});

/*
 * B04 https://github.com/sgl-project/sglang/pull/34132, https://github.com/sgl-project/sglang/pull/32456
 * Aborts were counted where the signal was sent, not where a request ended: cancel-all and lost races counted too, and
 * a cancel could show as a success.
 */
it('B04: a finish that comes just before the unsubscribe is the outcome', async () => {
  const frontend = new Frontend();
  frontend.arrive().out({ tok: 1, fin: 'stop' }).unsubscribe();
  expect((await frontend.page()).endings()).toEqual({ stop: 1 });
});

it('B04: an unsubscribe that comes just before the finish is the outcome', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive();
  client.unsubscribe();
  client.out({ tok: 1, fin: 'stop' });
  expect((await frontend.page()).endings()).toEqual({ abort: 1 });
});

it('B04: cancelling everything twice over one live request is one abort, told to the engine once', async () => {
  const frontend = new Frontend();
  const aborted: string[] = [];
  const cancelAll = new Subject<void>();
  const stream = new OutputRouter().open('r1', 0, { onAbort: (requestId) => aborted.push(requestId) });
  stream.pipe(frontend.operator(), takeUntil(cancelAll)).subscribe();
  cancelAll.next();
  cancelAll.next();

  expect((await frontend.page()).endings()).toEqual({ abort: 1 });
  expect(aborted).toEqual(['r1']);
});

/*
 * B06 https://github.com/vllm-project/vllm/issues/9346, https://github.com/vllm-project/vllm/pull/18765,
 * https://github.com/llm-d/llm-d-inference-sim/issues/420
 * Failed requests skipped the end-of-request update and had no series, so success ratios came out above 100 %.
 */
it('B06: requests whose engine dies end as errors, and consumers get the very same error object', async () => {
  const frontend = new Frontend();
  const engineDead = new Error('EngineDead');
  const clients = [1, 2, 3].map(() => frontend.arrive());
  for (const client of clients) client.out({ tok: 1 });
  for (const client of clients) client.source.error(engineDead);

  const page = await frontend.page();
  expect(page.endings()).toEqual({ error: 3 });
  expect(page.histograms('E2E', 'GEN_HIST')).toEqual({ E2E: seen(3), GEN_HIST: seen(3, 3) });
  for (const { errors } of clients) expect(errors[0]).toBe(engineDead);
});

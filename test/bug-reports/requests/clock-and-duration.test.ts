import { afterEach, expect, it, vi } from 'vitest';
import { Frontend, queued, scheduled } from '../support/frontend.js';
import { NONE, type Page, seen } from '../support/page.js';

afterEach(() => {
  vi.useRealTimers();
});

async function twoAbortsInTheQueue(unknownIntervals: 'zero' | 'omit'): Promise<Page> {
  const frontend = new Frontend({ unknownIntervals });
  frontend.arrive({ F: 100 }).unsubscribe(103);
  const b = frontend.arrive({ F: 100 });
  b.out({ ev: [queued(864_000)] });
  b.unsubscribe(101);
  return frontend.page();
}

function expectTwoAborts(page: Page): void {
  expect(page.endings()).toEqual({ abort: 2 });
  expect(page.histograms('E2E', 'GEN_HIST', 'TTFT', 'ITL')).toEqual({
    E2E: seen(2, 4),
    GEN_HIST: seen(2, 0),
    TTFT: NONE,
    ITL: NONE,
  });
  const durations = [...page.samples].filter(([key]) => key.includes('_seconds_sum'));
  expect(durations.filter(([, sum]) => Math.abs(sum) > 10)).toEqual([]);
}

/*
 * B11 https://github.com/vllm-project/vllm/pull/55940
 * 0 stood for "not set yet" and was then used in arithmetic: a request aborted in the queue got durations as large as
 * the engine's clock, or as negative.
 */
it('B11: intervals that lack an end are left out with unknownIntervals omit', async () => {
  const page = await twoAbortsInTheQueue('omit');
  expectTwoAborts(page);
  expect(page.histograms('QUEUE', 'PREFILL', 'DECODE', 'INFER', 'TPOT')).toEqual({
    QUEUE: NONE,
    PREFILL: NONE,
    DECODE: NONE,
    INFER: NONE,
    TPOT: NONE,
  });
});

// By default a missing interval is 0, as upstream's Rust frontend has it: all terminal counts then agree.
it('B11: intervals that lack an end are 0 by default, never a clock reading', async () => {
  const page = await twoAbortsInTheQueue('zero');
  expectTwoAborts(page);
  expect(page.histograms('QUEUE', 'PREFILL', 'DECODE', 'INFER', 'TPOT')).toEqual({
    QUEUE: seen(2),
    PREFILL: seen(2),
    DECODE: seen(2),
    INFER: seen(2),
    TPOT: seen(2),
  });
});

/*
 * B12 https://github.com/sgl-project/sglang/pull/22247
 * One entry point stamped arrivals in epoch seconds where the code subtracted a monotonic counter: first-token and
 * total latency came out hugely negative. The report wants no sample then. Ours counts such a request as arrived now,
 * with a diagnostic: one request stays one sample, and it is the latency since we knew of it.
 */
it('B12: an arrival time from another clock counts as now, with one diagnostic', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive({ F: 12.5, arrivalTimeMs: 1_775_500_000_000 });
  client.out({ F: 12.8, E: 5.3, tok: 1, ev: [queued(5), scheduled(5.1)], fin: 'stop' });

  expect((await frontend.page()).histograms('TTFT', 'E2E', 'QUEUE', 'PREFILL')).toEqual({
    TTFT: seen(1, 0.3),
    E2E: seen(1, 0.3),
    QUEUE: seen(1, 0.1),
    PREFILL: seen(1, 0.2),
  });
  expect(frontend.diagnostics.map(({ source }) => source)).toEqual(['arrivalTimeMs']);
});

it('B12: an arrival stamped by our clock gives the time since', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive({ F: 12.5 });
  client.out({ F: 12.8, E: 5.3, tok: 1, ev: [queued(5), scheduled(5.1)] });

  expect((await frontend.page()).histograms('TTFT')).toEqual({ TTFT: seen(1, 0.3) });
});

it('B12: an epoch arrival time needs no conversion, and a step of the wall clock changes nothing', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_775_500_000_000 });
  const frontend = new Frontend({ clock: undefined });
  const client = frontend.arrive({ arrivalTimeMs: Date.now() - 1000 });
  vi.advanceTimersByTime(500);
  vi.setSystemTime(Date.now() - 3_600_000);
  client.out({ E: 5.3, tok: 1, fin: 'stop' });

  expect((await frontend.page()).histograms('TTFT', 'E2E')).toEqual({
    TTFT: seen(1, 1.5),
    E2E: seen(1, 1.5),
  });
  expect(frontend.diagnostics).toEqual([]);
});

/*
 * B14 https://github.com/ai-dynamo/dynamo/issues/8054
 * A "queued" figure covered tokenising, routing, dispatch and prefill, and hid where requests were stuck.
 */
it('B14: queue time ends with the first schedule, and inference is prefill plus decode', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive({ F: 100 });
  client.out({ E: 52.4, F: 102.6, tok: 1, ev: [queued(52), scheduled(52.1)] });
  client.out({ E: 52.9, F: 103.1, tok: 1, fin: 'stop' });

  expect((await frontend.page()).histograms('QUEUE', 'TTFT', 'PREFILL', 'DECODE', 'INFER', 'E2E')).toEqual({
    QUEUE: seen(1, 0.1),
    TTFT: seen(1, 2.6),
    PREFILL: seen(1, 0.3),
    DECODE: seen(1, 0.5),
    INFER: seen(1, 0.8),
    E2E: seen(1, 3.1),
  });
});

import { first, type MonoTypeOperatorFunction, Observable, type Subscriber, take, takeWhile } from 'rxjs';
import { expect, it } from 'vitest';
import type { EngineCoreStreamOutput } from '../../../src/index.js';
import { Client, Frontend, output } from '../support/frontend.js';
import { seen } from '../support/page.js';

/*
 * B08 https://github.com/vercel/ai/issues/20908
 * After an abort the completion callback ran as well, with an earlier step's result, and applications finalised twice.
 */
it('B08: a producer that ignores cancellation changes nothing after the abort', async () => {
  const frontend = new Frontend();
  let producer!: Subscriber<EngineCoreStreamOutput>;
  const source = new Observable<EngineCoreStreamOutput>((subscriber) => {
    producer = subscriber;
  });
  const subscription = source.pipe(frontend.at(0).operator()).subscribe();
  producer.next(output({ tok: 1 }));
  subscription.unsubscribe();
  frontend.at(1);
  producer.next(output({ tok: 5, fin: 'stop' }));
  producer.complete();

  const page = await frontend.page();
  expect(page.endings()).toEqual({ abort: 1 });
  expect(page.value('GTOK')).toBe(1);
  expect(page.histograms('E2E', 'GEN_HIST')).toEqual({ E2E: seen(1), GEN_HIST: seen(1, 1) });
});

const isFinal = ({ output: { finishReason } }: EngineCoreStreamOutput) => finishReason !== undefined;

const READERS: readonly [string, MonoTypeOperatorFunction<EngineCoreStreamOutput>][] = [
  ['takeWhile', takeWhile((value) => !isFinal(value), true)],
  ['take', take(2)],
  ['first', first(isFinal)],
];

/*
 * B09 https://github.com/openai/openai-node/issues/194, https://github.com/ReactiveX/rxjs/issues/1543
 * Readers stop after the last item, and RxJS does that by unsubscribing inside `next`, before any complete: each
 * successful stream looked aborted.
 */
it.each(READERS)(
  'B09: a reader that leaves with the final output sees a stop, with %s',
  async (_, reader) => {
    const frontend = new Frontend();
    const client = new Client(frontend, (source) => source.pipe(frontend.operator(), reader));
    client.out({ tok: 1 }).out({ tok: 1, fin: 'stop' });

    expect(client.completed).toBe(true);
    const page = await frontend.page();
    expect(page.endings()).toEqual({ stop: 1 });
    expect(page.histograms('E2E')).toEqual({ E2E: seen(1) });
  },
);

/*
 * B10 https://github.com/vllm-project/vllm/issues/27301, https://github.com/vllm-project/vllm/pull/27306
 * NaN logits are flagged per output; summing the flags would have counted a bad request once per output.
 */
it('B10: a request with NaN logits counts as corrupted once, whatever its ending', async () => {
  const frontend = new Frontend();
  const a = frontend.arrive();
  for (let i = 0; i < 3; i++) a.out({ tok: 1, nans: 2 });
  a.out({ tok: 1, fin: 'stop' });
  frontend.arrive().out({ tok: 1, nans: 1 }).unsubscribe();
  frontend.arrive().out({ tok: 1, fin: 'stop' });

  expect((await frontend.page()).value('corrupted_requests_total')).toBe(2);
});

// Our rule has no switch of its own: the engine's decides, and with it off every output says 0.
it('B10: an engine that does not look for NaNs leaves the count at 0', async () => {
  const frontend = new Frontend();
  frontend.arrive().out({ tok: 1, nans: 0 }).out({ tok: 1, fin: 'stop' });

  expect((await frontend.page()).value('corrupted_requests_total')).toBe(0);
});

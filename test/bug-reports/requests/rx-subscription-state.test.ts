import { from, type Observable, Subject, share, shareReplay } from 'rxjs';
import { expect, it } from 'vitest';
import type { EngineCoreStreamOutput } from '../../../src/index.js';
import { Client, Frontend, output } from '../support/frontend.js';
import { seen } from '../support/page.js';

const TWO_TOKENS = [output({ tok: 1 }), output({ tok: 1, fin: 'stop' })];

/*
 * B67 https://github.com/ReactiveX/rxjs/issues/1914, https://github.com/Reactive-Extensions/RxJS/issues/294
 * A cold pipe runs once per subscriber: a logger subscribed beside the real consumer doubled every count.
 */
it('B67: a stream that is never subscribed records nothing', async () => {
  const frontend = new Frontend();
  from(TWO_TOKENS).pipe(frontend.operator());

  const page = await frontend.page();
  expect(page.endings()).toEqual({});
  expect([page.value('GTOK'), frontend.metrics.inFlight]).toEqual([0, 0]);
});

it('B67: two subscriptions are two requests', async () => {
  const frontend = new Frontend();
  const stream = from(TWO_TOKENS).pipe(frontend.operator());
  stream.subscribe();
  stream.subscribe();

  const page = await frontend.page();
  expect(page.endings()).toEqual({ stop: 2 });
  expect(page.value('GTOK')).toBe(4);
});

it('B67: a stream shared after the operator is one request', async () => {
  const frontend = new Frontend();
  const source = new Subject<EngineCoreStreamOutput>();
  const stream = source.pipe(frontend.operator(), share());
  stream.subscribe();
  stream.subscribe();
  for (const value of TWO_TOKENS) source.next(value);

  const page = await frontend.page();
  expect(page.endings()).toEqual({ stop: 1 });
  expect(page.value('GTOK')).toBe(2);
});

/** A consumer that leaves after one token. */
function leavesEarly(
  frontend: Frontend,
  pipe: (source: Observable<EngineCoreStreamOutput>) => Observable<unknown>,
): Client {
  const client = new Client(frontend, pipe).out({ tok: 1 });
  client.unsubscribe();
  return client;
}

/*
 * B69 https://github.com/ReactiveX/rxjs/issues/3336, https://github.com/ReactiveX/rxjs/pull/5191
 * shareReplay keeps its source when the last consumer leaves: the producer goes on for ever, and nothing shows it.
 */
it('B69: after the operator shareReplay keeps the request in flight until its source ends', async () => {
  const frontend = new Frontend();
  const client = leavesEarly(frontend, (source) => source.pipe(frontend.operator(), shareReplay(1)));
  const inFlight = async () =>
    (await frontend.page()).samples.get('rx_engine_metrics_requests_in_flight{engine="0",model_name="m"}');
  expect((await frontend.page()).endings()).toEqual({});
  expect(await inFlight()).toBe(1);

  client.out({ tok: 1, fin: 'length' });
  expect((await frontend.page()).endings()).toEqual({ length: 1 });
  expect(await inFlight()).toBe(0);
});

it('B69: before the operator shareReplay does not hide that the consumer left', async () => {
  const frontend = new Frontend();
  leavesEarly(frontend, (source) => source.pipe(shareReplay(1), frontend.operator()));
  expect((await frontend.page()).endings()).toEqual({ abort: 1 });
});

it('B69: with refCount shareReplay lets the request end as its last consumer leaves', async () => {
  const frontend = new Frontend();
  const shared = shareReplay<EngineCoreStreamOutput>({ bufferSize: 1, refCount: true });
  leavesEarly(frontend, (source) => source.pipe(frontend.operator(), shared));
  expect((await frontend.page()).endings()).toEqual({ abort: 1 });
});

/*
 * B71 https://github.com/ReactiveX/rxjs/issues/6580, https://github.com/ReactiveX/rxjs/pull/6396
 * A consumer that pushes into the source from its callback makes whoever acts after forwarding see values in reverse.
 */
it('B71: an output pushed while the first is being consumed is recorded after it', async () => {
  const frontend = new Frontend();
  const source = new Subject<EngineCoreStreamOutput>();
  let first = true;
  frontend.at(0);
  source.pipe(frontend.operator()).subscribe(() => {
    if (!first) return;
    first = false;
    frontend.at(2);
    source.next(output({ E: 1.2, tok: 1, fin: 'stop' }));
  });
  frontend.at(1);
  source.next(output({ E: 1, tok: 1 }));

  const page = await frontend.page();
  expect(page.histograms('TTFT', 'ITL', 'E2E')).toEqual({
    TTFT: seen(1, 1),
    ITL: seen(1, 0.2),
    E2E: seen(1, 2),
  });
  expect(page.endings()).toEqual({ stop: 1 });
  expect(page.value('GTOK')).toBe(2);
});

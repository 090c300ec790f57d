import {
  concat,
  finalize,
  map,
  NEVER,
  Observable,
  observeOn,
  of,
  throwError,
  timeout,
  VirtualTimeScheduler,
} from 'rxjs';
import { expect, it } from 'vitest';
import type { EngineCoreStreamOutput, EngineMetrics } from '../../../src/index.js';
import { Client, Frontend, output } from '../support/frontend.js';

const DELIVERIES = ['synchronous', 'asynchronous'] as const;

type Source = Observable<EngineCoreStreamOutput>;

/** Runs a source to its end and notes what the consumer sees counted in its last callback. */
function seenAtTheEnd(frontend: Frontend, source: Source, delivery: (typeof DELIVERIES)[number]): number[] {
  const scheduler = new VirtualTimeScheduler();
  const { stop, error } = frontend.metrics.forEngine(0).requestSuccess;
  const seen: number[] = [];
  const look = () => seen.push(stop.value, error.value, frontend.metrics.inFlight);
  const delivered = delivery === 'synchronous' ? source : source.pipe(observeOn(scheduler, 1));
  delivered.pipe(frontend.operator()).subscribe({ complete: look, error: look });
  scheduler.flush();
  return seen;
}

/*
 * B63 https://github.com/ReactiveX/rxjs/issues/4931, https://github.com/ReactiveX/rxjs/pull/5433,
 * https://github.com/ReactiveX/rxjs/issues/4138
 * `finalize` runs after the consumer was told that it is over, so what it records is not there yet.
 */
it.each(DELIVERIES)('B63: the record is there when the consumer is told of the end, %s', (delivery) => {
  const frontend = new Frontend();
  expect(seenAtTheEnd(frontend, of(output({ tok: 1, fin: 'stop' })), delivery)).toEqual([1, 0, 0]);
  const failing = throwError(() => new Error('engine'));
  expect(seenAtTheEnd(frontend, failing, delivery)).toEqual([1, 1, 0]);
});

/*
 * B65 https://github.com/ReactiveX/rxjs/issues/6026, https://github.com/ReactiveX/rxjs/pull/6527,
 * https://github.com/ReactiveX/rxjs/issues/2823
 * `finalize` gives no reason, so nobody could tell a cancel from an end. A failure in a later operator reaches ours as
 * an unsubscribe and so is an abort; its docstring says so.
 */
it('B65: completion, error and unsubscribe are told apart, and a later failure is an abort', async () => {
  const frontend = new Frontend();
  const scheduler = new VirtualTimeScheduler();
  const [finished, failed, left] = [1, 2, 3].map(() => frontend.arrive().out({ tok: 1 }));
  finished!.out({ fin: 'length' }).source.complete();
  failed!.source.error(new Error('engine'));
  left!.unsubscribe();
  const thrown = new Error('downstream');
  const broken = map(() => {
    throw thrown;
  });
  const mapped = new Client(frontend, (source) => source.pipe(frontend.operator(), broken)).out({ tok: 1 });
  const stalled = concat(of(output({ tok: 1 })), NEVER).pipe(frontend.operator());
  const timedOut: unknown[] = [];
  stalled.pipe(timeout({ each: 1000, scheduler })).subscribe({ error: (error) => timedOut.push(error) });
  scheduler.flush();

  expect((await frontend.page()).endings()).toEqual({ length: 1, error: 1, abort: 3 });
  expect(mapped.errors[0]).toBe(thrown);
  expect(timedOut).toHaveLength(1);
});

/** Every method of every handle of an engine throws from now on. */
function breakHandles(metrics: EngineMetrics): void {
  const broken = () => {
    throw new Error('handle');
  };
  const isHandle = (field: unknown): field is object =>
    typeof field === 'object' && field !== null && ('inc' in field || 'observe' in field || 'set' in field);
  for (const field of Object.values(metrics).flatMap((value) =>
    isHandle(value) ? [value] : Object.values(value),
  ))
    if (isHandle(field)) Object.assign(field, { inc: broken, observe: broken, set: broken });
}

/*
 * B66 https://github.com/ReactiveX/rxjs/issues/1256, https://github.com/ReactiveX/rxjs/issues/3171
 * A finaliser that throws comes out of `unsubscribe()` or of the producer's `complete()`, and disturbed the others.
 */
it('B66: broken handles reach neither the consumer nor the producer, in any ending', () => {
  const frontend = new Frontend();
  breakHandles(frontend.metrics.forEngine(0));
  let finalized = 0;
  const count = finalize<EngineCoreStreamOutput>(() => {
    finalized++;
  });
  const engineDead = new Error('EngineDead');
  const [finished, failed, left] = [1, 2, 3].map(() =>
    new Client(frontend, (source) => source.pipe(frontend.operator(), count)).out({ tok: 1 }),
  );
  finished!.out({ tok: 1, fin: 'stop' }).source.complete();
  failed!.source.error(engineDead);
  left!.unsubscribe();

  expect([finished!, failed!, left!].map(({ values }) => values.length)).toEqual([2, 1, 1]);
  expect([finished!.completed, failed!.errors[0] === engineDead, finalized]).toEqual([true, true, 3]);
  expect(frontend.diagnostics.length).toBeGreaterThan(0);
  expect(frontend.metrics.inFlight).toBe(0);
});

it("B66: a source whose teardown throws is RxJS's to report, and its request is recorded all the same", async () => {
  const frontend = new Frontend();
  const source = new Observable<EngineCoreStreamOutput>(() => () => {
    throw new Error('teardown');
  });
  const subscription = source.pipe(frontend.operator()).subscribe();

  expect(() => subscription.unsubscribe()).toThrow('teardown');
  expect((await frontend.page()).endings()).toEqual({ abort: 1 });
});

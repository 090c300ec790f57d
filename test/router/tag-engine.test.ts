import { map, of, Subject } from 'rxjs';
import { expect, it } from 'vitest';
import {
  EngineCoreOutputStream,
  type EngineCoreStreamOutput,
  tagEngine,
  withRequestMetrics,
} from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { recording } from '../support/recording.js';

const final = engineOutput(1, { finishReason: 'stop' });

it('tags a stream and mirrors it', () => {
  const seen: unknown[] = [];
  const stream = tagEngine<EngineCoreStreamOutput>(2, 'a')(of(final));
  stream.subscribe({ next: (value) => seen.push(value), complete: () => seen.push('complete') });
  expect(stream).toBeInstanceOf(EngineCoreOutputStream);
  expect([stream.engineIndex, stream.requestId]).toEqual([2, 'a']);
  expect(seen).toEqual([final, 'complete']);
  expect(seen[0]).toBe(final);
});

it('unsubscribes its source', () => {
  const source = new Subject<EngineCoreStreamOutput>();
  source.pipe(tagEngine(0)).subscribe().unsubscribe();
  expect(source.observed).toBe(false);
});

it('has no request id unless one is given', () => {
  expect(tagEngine(0)(of(final)).requestId).toBeUndefined();
});

it('names the engine and the request of the operator after it', async () => {
  const { metrics, samples } = recording();
  const ended: unknown[] = [];
  metrics.finishedRequests.subscribe(({ requestId, engineIndex }) => ended.push([requestId, engineIndex]));
  of(final)
    .pipe(tagEngine(2, 'a'), withRequestMetrics(metrics, { numPromptTokens: 1 }))
    .subscribe();
  expect(ended).toEqual([['a', 2]]);
  expect((await samples()).success(2)).toEqual({ stop: 1 });
});

it('yields to what the request itself says', () => {
  const { metrics } = recording();
  const ended: unknown[] = [];
  metrics.finishedRequests.subscribe(({ requestId, engineIndex }) => ended.push([requestId, engineIndex]));
  const request = { numPromptTokens: 1, engineIndex: 5, requestId: 'mine' };
  of(final).pipe(tagEngine(2, 'a'), withRequestMetrics(metrics, request)).subscribe();
  expect(ended).toEqual([['mine', 5]]);
});

it('is lost after another operator, and the error says so', () => {
  const { metrics } = recording();
  const tagged = of(final).pipe(tagEngine(2));
  const apply = () =>
    tagged.pipe(
      map((value) => value),
      withRequestMetrics(metrics, { numPromptTokens: 1 }),
    );
  expect(apply).toThrow(TypeError);
  expect(apply).toThrow(/another operator in between loses the tag/);
});

it.each([
  [undefined, undefined, TypeError],
  ['0', undefined, TypeError],
  [-1, undefined, RangeError],
  [1.5, undefined, RangeError],
  [Number.POSITIVE_INFINITY, undefined, RangeError],
  [0, 7, TypeError],
  [0, null, TypeError],
] as const)('refuses engine %s and request id %s at the call', (engine, id, kind) => {
  expect(() => tagEngine(engine as number, id as unknown as string)).toThrow(kind);
});

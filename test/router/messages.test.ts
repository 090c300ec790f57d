/** What errors say: which argument or id, what was expected, what came. */
import { EMPTY, firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  DuplicateRequestIdError,
  EngineCoreOutputStream,
  OutputRouter,
  type RequestStreamClosedError,
  tagEngine,
} from '../../src/index.js';

/** How a stream of the router fails. */
function failure(router: OutputRouter, id: string): Promise<unknown> {
  return firstValueFrom(router.open(id, 3)).catch((error: unknown) => error);
}

const AT_END = 'request a on engine 3: expected a final output, got';

describe('an error of the router', () => {
  it('says that the id is open, or that its abort is under way', () => {
    const router = new OutputRouter();
    const stream = router.open('a', 0);
    const again = () => router.open('a', 0);
    expect(again).toThrow('requestId a: expected an id that is free, got one that is open');
    stream.subscribe().unsubscribe();
    expect(again).toThrow('requestId a: expected an id that is free, got one whose abort is under way');
    expect(new DuplicateRequestIdError('a', 'b').name).toBe('DuplicateRequestIdError');
  });

  it('says that the request ended without a final output', async () => {
    const router = new OutputRouter();
    const failed = failure(router, 'a');
    router.next({ engineIndex: 3, outputs: [], timestamp: 0, finishedRequests: ['a'] });
    expect(await failed).toMatchObject({
      name: 'RequestStreamClosedError',
      message: `${AT_END} the end of the request`,
    });
  });

  it('says how the batches ended, and stays with what came first', async () => {
    const router = new OutputRouter();
    const cause = new Error('gone');
    const failed = failure(router, 'a');
    router.error(cause);
    router.complete();
    expect(await failed).toMatchObject({ message: `${AT_END} an error of the batches`, cause });
    expect(await failure(router, 'a')).toMatchObject({ message: `${AT_END} an error of the batches`, cause });
  });
});

describe('an argument of open that is not what it should be', () => {
  it.each([
    ['requestId: expected a string, got 5', [5, 0]],
    ['engineIndex: expected a whole number of at least 0, got -1', ['a', -1]],
    ['options: expected an object, got null', ['a', 0, null]],
    ['options: expected an object, got 5', ['a', 0, 5]],
    ['onAbort: expected a function, got 5', ['a', 0, { onAbort: 5 }]],
    ['errorOf: expected a function, got "x"', ['a', 0, { errorOf: 'x' }]],
  ])('is told: %s', (message, args) => {
    const router = new OutputRouter();
    expect(() => router.open(...(args as Parameters<typeof router.open>))).toThrow(message);
    router.open('a', 0); // nothing was opened
  });
});

describe("a frontend's own error", () => {
  const own = new Error('own');
  const CASES: readonly [name: string, errorOf: (closed: RequestStreamClosedError) => unknown][] = [
    ['that is returned', (closed) => Object.assign(own, { closed })],
    [
      'that is thrown',
      (closed) => {
        throw Object.assign(own, { closed });
      },
    ],
  ];

  it.each(CASES)('%s is what a stream fails with, open or opened after the end', async (_, errorOf) => {
    const router = new OutputRouter();
    const failureNow = () =>
      firstValueFrom(router.open('a', 3, { errorOf })).catch((error: unknown) => error);
    const failed = failureNow();
    router.complete();
    for (const failure of [await failed, await failureNow()]) {
      expect(failure).toBe(own);
      expect(failure).toMatchObject({ closed: { message: `${AT_END} the end of the batches` } });
    }
  });
});

describe('an error of a tag', () => {
  it('names the argument', () => {
    expect(() => new EngineCoreOutputStream(-1, 'a', EMPTY)).toThrow('engineIndex: expected a whole number');
    expect(() => tagEngine(-1)).toThrow('tagEngine.engineIndex: expected a whole number');
    expect(() => tagEngine(0, 5 as unknown as string)).toThrow(
      'tagEngine.requestId: expected a string, got 5',
    );
  });
});

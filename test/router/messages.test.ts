/** What errors say: which argument or id, what was expected, what came. */
import { EMPTY, firstValueFrom } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { DuplicateRequestIdError, EngineCoreOutputStream, OutputRouter, tagEngine } from '../../src/index.js';

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

describe('an error of a tag', () => {
  it('names the argument', () => {
    expect(() => new EngineCoreOutputStream(-1, 'a', EMPTY)).toThrow('engineIndex: expected a whole number');
    expect(() => tagEngine(-1)).toThrow('tagEngine.engineIndex: expected a whole number');
    expect(() => tagEngine(0, 5 as unknown as string)).toThrow(
      'tagEngine.requestId: expected a string, got 5',
    );
  });
});

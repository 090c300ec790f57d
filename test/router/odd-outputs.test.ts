import { expect, it } from 'vitest';
import { type EngineCoreOutput, OutputRouter } from '../../src/index.js';

function sent(router: OutputRouter, outputs: readonly unknown[]): void {
  router.next({ engineIndex: 0, outputs: outputs as EngineCoreOutput[], timestamp: 0 });
}

it('takes a finish reason of null for none', () => {
  const router = new OutputRouter();
  const seen: string[] = [];
  router.open('a', 0).subscribe({ next: () => seen.push('next'), complete: () => seen.push('complete') });
  sent(router, [{ requestId: 'a', newTokenIds: [1], finishReason: null }]);
  sent(router, [{ requestId: 'a', newTokenIds: [1], finishReason: 'stop' }]);
  expect(seen).toEqual(['next', 'next', 'complete']);
});

it('passes over an output that cannot be read, without a throw', () => {
  const router = new OutputRouter();
  const broken = {
    get requestId(): string {
      throw new Error('unreadable');
    },
  };
  const seen: unknown[] = [];
  router.open('a', 0).subscribe(({ output }) => seen.push(output.newTokenIds));
  expect(() => sent(router, [null, broken, { requestId: 'a', newTokenIds: [7] }])).not.toThrow();
  expect(seen).toEqual([[7]]);
});

it('hands a throwing teardown to the caller, when the others have theirs', () => {
  const router = new OutputRouter();
  const seen: string[] = [];
  const broken = router.open('a', 0).subscribe();
  broken.add(() => {
    throw new Error('teardown');
  });
  router.open('b', 0).subscribe({ complete: () => seen.push('b') });
  const final = (requestId: string) => ({ requestId, newTokenIds: [1], finishReason: 'stop' });
  expect(() => sent(router, [final('a'), final('b')])).toThrow('teardown');
  expect(seen).toEqual(['b']);
});

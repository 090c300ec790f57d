import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { EngineCoreOutput } from '../../src/index.js';
import { OutputRouter } from '../../src/index.js';
import { batch, type Client, client, output } from './router-run.js';

const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] as const;

/** One output: whose, by which engine, its last one or not; the id another string each time or always the same one. */
const outputs = fc.record({
  name: fc.constantFrom(...NAMES),
  isFinal: fc.boolean(),
  isNewString: fc.boolean(),
});

const steps = fc.array(
  fc.record({
    order: fc.array(outputs, { maxLength: 12 }),
    engineIndex: fc.constantFrom(0, 0, 0, 1, undefined),
    leaves: fc.option(fc.constantFrom(...NAMES), { nil: undefined }),
  }),
  { maxLength: 12 },
);

/** Equal, but no longer the same string to V8. */
function again(text: string): string {
  return Buffer.from(text).toString();
}

/** What each client must have seen: its outputs until the final one, those of engine 0 or of none. */
class Expected {
  readonly seen: unknown[] = [];
  isOpen = true;

  take(value: EngineCoreOutput, engineIndex: number | undefined): void {
    if (!this.isOpen || engineIndex === 1) return;
    this.seen.push(value);
    if (!value.finishReason) return;
    this.isOpen = false;
    this.seen.push('complete');
  }
}

it('delivers each output to its request whatever the order of a step, whoever is missing, leaves or ends', () => {
  fc.assert(
    fc.property(steps, (run) => {
      const router = new OutputRouter();
      const clients = new Map<string, [Client, Expected]>(
        NAMES.map((name) => [name, [client(router, name), new Expected()]]),
      );
      for (const { order, engineIndex, leaves } of run) {
        const values = order.map(({ name, isFinal, isNewString }) =>
          output(isNewString ? again(name) : name, 1, isFinal),
        );
        for (const value of values) clients.get(value.requestId)![1].take(value, engineIndex);
        router.next({ ...batch(values), engineIndex } as ReturnType<typeof batch>);
        if (leaves === undefined) continue;
        const [left, expected] = clients.get(leaves)!;
        left.subscription.unsubscribe();
        expected.isOpen = false;
      }
      for (const [{ seen }, expected] of clients.values()) expect(seen).toEqual(expected.seen);
    }),
  );
});

it('gives the outputs of an id that was opened again to the new request alone', () => {
  const router = new OutputRouter();
  const others = ['b', 'c'].map((id) => client(router, id));
  const first = client(router, 'a');
  const [a1, last, a2] = [output('a'), output('a', 1, true), output('a')];
  router.next(batch([output('b'), a1, output('c')]));
  router.next(batch([output('b'), last, output('c')]));
  const second = client(router, 'a');
  router.next(batch([output('b'), a2, output('c')]));
  expect(first.seen).toEqual([a1, last, 'complete']);
  expect(second.seen).toEqual([a2]);
  for (const { seen } of others) expect(seen).toHaveLength(3);
});

it('gives nothing to a request of a failed engine once its id is opened again', () => {
  const router = new OutputRouter();
  const first = client(router, 'a');
  const a1 = output('a');
  let second: Client | undefined;
  const neighbour = client(router, 'b', {}, () => {
    if (second !== undefined) return;
    router.failEngine(0);
    second = client(router, 'a');
  });
  router.next(batch([a1]));
  router.next(batch([output('b'), output('a')]));
  expect(neighbour.seen).toHaveLength(2); // its output, and the failure
  expect(first.seen).toEqual([a1, expect.objectContaining({ name: 'RequestStreamClosedError' })]);
  expect(second?.seen).toEqual([]);
});

it('leaves a request alone in the steps of other engines, also after one that names none', () => {
  const router = new OutputRouter();
  const { seen } = client(router, 'a');
  const a1 = output('a');
  router.next({ ...batch([a1]), engineIndex: undefined } as unknown as ReturnType<typeof batch>);
  router.next({ ...batch([output('a', 1, true)]), engineIndex: 7 });
  expect(seen).toEqual([a1]);
});

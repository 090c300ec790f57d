import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { EngineCoreOutput } from '../../src/index.js';
import { OutputRouter } from '../../src/index.js';
import { RoutedRequest } from '../../src/router/routed-request.js';
import { StepOrder } from '../../src/router/step-order.js';
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

describe('the order of a step', () => {
  let requests: RoutedRequest[];

  beforeEach(() => {
    requests = NAMES.map((name) => {
      const request = new RoutedRequest(name, 0, 0, () => {}, undefined);
      request.spelling = name;
      return request;
    });
  });

  /** An order whose last step was of all of them. */
  function known(): StepOrder {
    const order = new StepOrder();
    order.begin();
    for (const request of requests) order.add(request);
    order.begin();
    return order;
  }

  /** Whom it finds of these, one after the other. */
  const found = (order: StepOrder, names: string) => [...names].map((name) => order.find(name)?.requestId);

  it('knows nobody before the second step', () => {
    const order = new StepOrder();
    expect(order.find('')).toBeUndefined();
    order.begin();
    expect(order.find('a')).toBeUndefined();
    order.add(requests[0]!);
    expect(order.find('a')).toBeUndefined();
    order.begin();
    expect(order.find('a')).toBe(requests[0]);
  });

  it('finds those that come in the same order, once each', () => {
    expect(found(known(), 'abcdefgh')).toEqual([...'abcdefgh']);
    expect(found(known(), 'aab')).toEqual(['a', undefined, 'b']);
    expect(found(known(), 'ba')).toEqual(['b', undefined]);
  });

  it('passes up to three open ones that are silent', () => {
    expect(found(known(), 'dh')).toEqual(['d', 'h']);
    expect(found(known(), 'e')).toEqual([undefined]);
  });

  it('passes any number of those that have ended, and forgets them', () => {
    const order = known();
    for (const ended of requests.slice(0, 6)) ended.isOpen = false;
    expect(found(order, 'g')).toEqual(['g']);
    const middle = known();
    for (const ended of requests.slice(1, 5)) ended.isOpen = false; // a and f are open
    expect(found(middle, 'gf')).toEqual(['g', undefined]);
    expect(found(known(), 'x')).toEqual([undefined]);
  });

  it('expects of a step what the one before served, however many the one before that did', () => {
    const order = known();
    order.add(requests[2]!);
    order.add(requests[0]!);
    order.begin();
    expect(found(order, 'cab')).toEqual(['c', 'a', undefined]);
    order.begin(); // a step that served nobody
    expect(found(order, 'a')).toEqual([undefined]);
  });
});

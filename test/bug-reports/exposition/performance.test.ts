import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import { afterEach, expect, it, type Mock, vi } from 'vitest';
import { Frontend, type Out, output, queued, scheduled } from '../support/frontend.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Spies on all methods of one of prom-client's classes. */
function watchedMethods({ prototype }: { readonly prototype: object }): Mock[] {
  const methods = prototype as Record<string, () => void>;
  const names = Object.getOwnPropertyNames(prototype).filter((name) => name !== 'constructor');
  return names.map((name) => vi.spyOn(methods, name));
}

/** A registry that notes what it is asked for. */
function watchedRegistry(): { registry: Registry; asked: string[] } {
  const asked: string[] = [];
  const registry = new Proxy(new Registry(), {
    get: (target, key) => {
      asked.push(String(key));
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { registry, asked };
}

const WHOLE_LIFE: readonly Out[] = [
  { E: 1, tok: 1, ev: [queued(0.5), scheduled(0.7)] },
  ...Array.from({ length: 1000 }, (_, i) => ({ E: 2 + i, tok: 1 })),
  { E: 2000, tok: 1, fin: 'stop' },
];

/*
 * B59 https://github.com/prometheus/client_js/pull/594, https://github.com/prometheus/client_js/issues/16,
 * https://github.com/prometheus/client_js/issues/777
 * prom-client builds a label key on each call, with resolved children too, so counting tokens cost noticeable CPU.
 * The report wants at most two of its calls per output; ours makes none in a request's whole life. What an output
 * costs in time and in bytes is measured by `npm run bench` and the allocation test, not here.
 */
it('B59: a request makes no call to prom-client, from its first output to its end', async () => {
  const calls = [Counter, Gauge, Histogram].flatMap(watchedMethods);
  const { registry, asked } = watchedRegistry();
  const frontend = new Frontend({ registry });
  asked.length = 0;
  const client = frontend.arrive();
  for (const out of WHOLE_LIFE) client.out(out);

  expect(calls.length).toBeGreaterThan(12);
  expect(asked).toEqual([]);
  for (const call of calls) expect(call).not.toHaveBeenCalled();
  expect((await frontend.page()).value('GTOK')).toBe(1002);
});

it('B59: the clock is read three times a request, and outputs pass as the objects they are', () => {
  let reads = 0;
  const now = () => {
    reads++;
    return 0;
  };
  const client = new Frontend({ clock: { now } }).arrive();
  const outputs = WHOLE_LIFE.map(output);
  for (const value of outputs) client.source.next(value);

  expect(reads).toBe(3);
  expect(client.values.every((value, i) => value === outputs[i])).toBe(true);
});

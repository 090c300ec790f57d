/** What consumers do while they are served: each stream sees its own outputs, in the order in which they came. */
import fc from 'fast-check';
import { config } from 'rxjs';
import { afterEach, expect, it } from 'vitest';
import { type EngineCoreOutput, OutputRouter, RequestStreamClosedError } from '../../src/index.js';
import { batch, client, output, send, watch } from './router-run.js';

afterEach(() => {
  config.useDeprecatedNextContext = false;
});

it('delivers the rest of a batch before one that a consumer makes the engine send', () => {
  const router = new OutputRouter();
  const [first, last] = [output('b'), output('b', 2, true)];
  client(router, 'a', {}, () => send(router, last));
  const b = client(router, 'b');
  send(router, output('a', 1, true), first);
  expect(b.seen).toEqual([first, last, 'complete']);
});

it.each(['error', 'complete'] as const)('delivers the rest of a batch before %s from inside it', (end) => {
  const router = new OutputRouter();
  const last = output('b', 1, true);
  const a = client(router, 'a', {}, () => router[end](new Error('over')));
  const b = client(router, 'b');
  const late: unknown[] = [];
  client(router, 'c', {}, () => watch(router.open('d', 0), late));
  send(router, output('a'), last, output('c'));
  expect(b.seen).toEqual([last, 'complete']);
  expect(a.seen).toEqual([expect.anything(), expect.any(RequestStreamClosedError)]);
  expect(late).toEqual([expect.any(RequestStreamClosedError)]); // opened after the end: at once
});

it('steps as deep as the engine likes, without a stack', () => {
  const router = new OutputRouter();
  let left = 100_000;
  const a = client(router, 'a', {}, () => {
    if (left > 0) send(router, output('a', 1, --left === 0));
  });
  send(router, output('a'));
  expect(a.seen).toHaveLength(100_002);
});

it('throws what a teardown throws in a batch from inside another, once that is delivered', () => {
  const router = new OutputRouter();
  client(router, 'a', {}, () => send(router, output('boom', 1, true), output('c')));
  const boom = router.open('boom', 0).subscribe();
  boom.add(() => {
    throw new Error('boom');
  });
  const [b, c] = [client(router, 'b'), client(router, 'c')];
  expect(() => send(router, output('a'), output('b'))).toThrow(/boom/);
  expect([b.seen.length, c.seen.length]).toEqual([1, 1]);
  send(router, output('b'));
  expect(b.seen).toHaveLength(2);
});

it('is fed with useDeprecatedNextContext, where rxjs calls with a `this` of its own', async () => {
  config.useDeprecatedNextContext = true;
  const { Subject } = await import('rxjs');
  const router = new OutputRouter();
  const batches = new Subject<ReturnType<typeof batch>>();
  batches.subscribe(router);
  const [a, b] = [client(router, 'a'), client(router, 'b')];
  batches.next(batch([output('a', 1, true)]));
  batches.error(new Error('gone'));
  expect(a.seen).toEqual([expect.anything(), 'complete']);
  expect(b.seen).toEqual([expect.any(RequestStreamClosedError)]);
});

/** What a consumer does when it is told something. */
type Deed = 'nothing' | 'step' | 'leave' | 'reopen' | 'reopen elsewhere' | 'fail engine';
interface Play {
  readonly batches: readonly (readonly number[])[];
  readonly deeds: readonly Deed[];
}

const ENGINES = 2;
const IDS = ['a', 'b', 'c', 'd'];

const plays: fc.Arbitrary<Play> = fc.record({
  batches: fc.array(fc.array(fc.nat(IDS.length * ENGINES * 2 - 1), { maxLength: 6 }), { maxLength: 12 }),
  deeds: fc.array(
    fc.constantFrom<Deed>('nothing', 'step', 'step', 'leave', 'reopen', 'reopen elsewhere', 'fail engine'),
    {
      maxLength: 40,
    },
  ),
});

/** One opening of an id: what it saw, and which batches may reach it. */
interface Leg {
  readonly id: string;
  readonly engine: number;
  readonly openedAfter: number;
  readonly seen: { readonly arrival: number; readonly at: number; readonly final: boolean }[];
  ends: number;
  left: boolean;
}

/** Plays it on a router; every output carries the number of its batch and its place there. */
class World {
  readonly router = new OutputRouter();
  readonly legs: Leg[] = [];
  readonly sent: { readonly engine: number; readonly outputs: readonly EngineCoreOutput[] }[] = [];
  readonly #batches: Play['batches'];
  readonly #deeds: Iterator<Deed>;

  constructor({ batches, deeds }: Play) {
    this.#batches = batches;
    this.#deeds = deeds[Symbol.iterator]();
    for (const [i, id] of IDS.entries()) this.open(id, i % ENGINES);
    while (this.sent.length < batches.length) this.step();
  }

  step(): void {
    const codes = this.#batches[this.sent.length];
    if (codes === undefined) return;
    const arrival = this.sent.length + 1;
    const engine = arrival % ENGINES;
    const outputs = codes.map((code, at) => ({
      ...output(IDS[code % IDS.length]!, 1, code >= IDS.length * ENGINES),
      stopReason: arrival * 100 + at,
    }));
    this.sent.push({ engine, outputs });
    this.router.next({ engineIndex: engine, timestamp: arrival, outputs });
  }

  open(id: string, engine: number): void {
    const leg: Leg = { id, engine, openedAfter: this.sent.length, seen: [], ends: 0, left: false };
    try {
      const stream = this.router.open(id, engine);
      this.legs.push(leg);
      const subscription = stream.subscribe({
        next: ({ output: { stopReason, finishReason } }) => {
          const arrival = Math.floor((stopReason as number) / 100);
          leg.seen.push({ arrival, at: (stopReason as number) % 100, final: finishReason !== undefined });
          this.#react(leg, () => {
            leg.left = true;
            subscription?.unsubscribe();
          });
        },
        error: () => this.#end(leg),
        complete: () => this.#end(leg),
      });
    } catch {
      // in use
    }
  }

  #end(leg: Leg): void {
    leg.ends++;
    this.#react(leg, () => {});
  }

  #react(leg: Leg, leave: () => void): void {
    const deed = this.#deeds.next().value as Deed | undefined;
    if (deed === 'step') this.step();
    if (deed === 'leave') leave();
    if (deed === 'reopen') this.open(leg.id, leg.engine);
    if (deed === 'reopen elsewhere') this.open(leg.id, (leg.engine + 1) % ENGINES);
    if (deed === 'fail engine') this.router.failEngine(leg.engine);
  }
}

/** Of what was sent, the outputs that a leg saw must be those of its id and engine since it was opened, without gaps. */
function expectedOf(world: World, leg: Leg): { readonly arrival: number; readonly at: number }[] {
  return world.sent.flatMap(({ engine, outputs }, i) =>
    i + 1 <= leg.openedAfter || engine !== leg.engine
      ? []
      : outputs.flatMap(({ requestId }, at) => (requestId === leg.id ? [{ arrival: i + 1, at }] : [])),
  );
}

it('gives every stream its own outputs in order and without gaps, whatever consumers do inside', () => {
  fc.assert(
    fc.property(plays, (play) => {
      const world = new World(play);
      for (const leg of world.legs) {
        const places = leg.seen.map(({ arrival, at }) => ({ arrival, at }));
        expect(places).toEqual(expectedOf(world, leg).slice(0, places.length));
        const final = leg.seen.findIndex((each) => each.final);
        if (final >= 0) expect(final).toBe(leg.seen.length - 1);
        const open = leg.ends === 0 && !leg.left;
        expect(leg.ends).toBeLessThanOrEqual(1);
        // A stream that has not ended has everything that was sent for it.
        if (open) expect(places).toEqual(expectedOf(world, leg));
      }
    }),
    { numRuns: Number(process.env.RX_ENGINE_METRICS_RUNS ?? 1_000) },
  );
});

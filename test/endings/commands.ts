/** The steps of a run: each is done in both worlds, which must then have written down the same. */
import fc, { type Arbitrary, type Command } from 'fast-check';
import { expect } from 'vitest';
import type { EngineCoreOutputs } from '../../src/index.js';
import { output, pipeline, reaction } from './arbitraries.js';
import { consume } from './consumer.js';
import { Pipeline } from './pipeline.js';
import type { OperatorKind, OutputKind, PipelineSpec, Reaction } from './spec.js';
import type { World } from './world.js';

/** A step; the model is the world without the operator. */
export class Step implements Command<World, World> {
  readonly #name: string;
  readonly #body: (world: World) => void;

  constructor(name: string, body: (world: World) => void) {
    this.#name = name;
    this.#body = body;
  }

  check(): boolean {
    return true;
  }

  run(model: World, real: World): void {
    for (const world of [model, real]) world.act(this.#body);
    expectSameLog(model, real);
  }

  toString(): string {
    return this.#name;
  }
}

/** Compares what was written down since the last step. */
export function expectSameLog(model: World, real: World): void {
  const [without, withOperator] = [model.log.splice(0), real.log.splice(0)];
  // `expect` on equal arrays of thousands of runs takes longer than the runs.
  if (without.join('\n') !== withOperator.join('\n')) expect(withOperator).toEqual(without);
}

export function open(spec: PipelineSpec): Step {
  return new Step(`open(${fc.stringify(spec)})`, (world) => {
    const at = world.pipelines.length;
    world.guarded(() => world.pipelines.push(new Pipeline(spec, world)));
    if (world.pipelines.length === at) return;
    for (const one of spec.consumers) world.guarded(() => consume(world, at, spec.engine, one));
  });
}

export function subscribeAgain(at: number, one?: Reaction): Step {
  return new Step(`subscribeAgain(${at}, ${fc.stringify(one)})`, (world) => {
    const { length } = world.pipelines;
    if (length > 0) consume(world, at % length, 0, one);
  });
}

export function send(at: number, kind: OutputKind): Step {
  return new Step(`send(${at}, '${kind}')`, (world) => world.send(at, kind));
}

export function unsubscribe(at: number): Step {
  return new Step(`unsubscribe(${at})`, ({ subscriptions }) => {
    subscriptions[at % subscriptions.length]?.unsubscribe();
  });
}

/** Something that happens to the whole world. */
export type EventKind =
  | 'cut sources'
  | 'cut consumers'
  | 'switch hosts'
  | 'pass time'
  | 'complete sources'
  | 'finish requests'
  | 'fail batches'
  | 'malformed batch'
  | 'remove an engine';

const events: Readonly<Record<EventKind, (world: World) => void>> = {
  'cut sources': ({ cut }) => cut.next(),
  'cut consumers': ({ leave }) => leave.next(),
  'switch hosts': ({ switches }) => switches.next(1),
  'pass time': ({ virtual }) => virtual.flush(),
  'complete sources': ({ pipelines }) => {
    for (const pipeline of pipelines) pipeline.end();
  },
  'finish requests': ({ pipelines, router }) => {
    const finishedRequests = pipelines.map((_pipeline, i) => `r${i}.1`);
    router.next({ engineIndex: 0, timestamp: 0, outputs: [], finishedRequests });
  },
  'fail batches': ({ router }) => router.error(new Error('of the batches')),
  'malformed batch': ({ router }) => router.next({ outputs: [null, 7] } as unknown as EngineCoreOutputs),
  'remove an engine': (world) => world.removeEngine(0),
};

export function happen(kind: EventKind): Step {
  return new Step(`happen('${kind}')`, events[kind]);
}

const at = fc.nat({ max: 5 });
const common: readonly EventKind[] = [
  'cut sources',
  'cut consumers',
  'switch hosts',
  'pass time',
  'complete sources',
  'finish requests',
  'malformed batch',
  'remove an engine',
];

const besides: Arbitrary<Step>[] = [
  fc.tuple(at, output).map(([i, kind]) => send(i, kind)),
  fc.tuple(at, output).map(([i, kind]) => send(i, kind)),
  at.map(unsubscribe),
  fc.tuple(at, fc.option(reaction, { nil: undefined })).map(([i, one]) => subscribeAgain(i, one)),
  fc.constantFrom(...common, ...common, 'fail batches' as const).map(happen),
];

export const steps: Arbitrary<Step>[] = [pipeline.map(open), pipeline.map(open), ...besides];

/**
 * With no teardown that throws. Where one does, RxJS with any further operator differs from RxJS with none: each
 * operator's subscription passes on or catches what the teardowns below it throw, and has its own place among them.
 */
export const calmSteps: Arbitrary<Step>[] = [
  pipeline.map((spec) => open(calm(spec))),
  pipeline.map((spec) => open(calm(spec))),
  ...besides,
];

function calm(spec: PipelineSpec): PipelineSpec {
  const isCalm = (kind: OperatorKind) => kind !== 'finalize throws';
  const { upstream, downstream, abort } = spec;
  return {
    ...spec,
    upstream: upstream.filter(isCalm),
    downstream: downstream.filter(isCalm),
    abort: abort === 'throws' ? 'nothing' : abort,
  };
}

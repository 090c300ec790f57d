/** A consumer that writes down all it sees, and does one more thing once. */
import { type Observer, Subscription } from 'rxjs';
import type { EngineCoreStreamOutput } from '../../src/index.js';
import { spelled } from '../operators/rxjs/rivals.js';
import { Pipeline } from './pipeline.js';
import type { Reaction, ReactionKind } from './spec.js';
import type { World } from './world.js';

interface Place {
  readonly world: World;
  readonly pipeline: number;
  readonly engine: number;
  /** The consumer's own, already there while a synchronous source is at it. */
  readonly own: Subscription;
}

const acts: Readonly<Record<ReactionKind, (place: Place) => void>> = {
  'unsubscribes itself': ({ own }) => own.unsubscribe(),
  'unsubscribes all': ({ world }) => {
    for (const subscription of [...world.subscriptions]) subscription.unsubscribe();
  },
  throws: () => {
    throw new Error('in a consumer');
  },
  'makes its source send': ({ world, pipeline }) => world.send(pipeline, 'three'),
  'makes its source finish': ({ world, pipeline }) => world.send(pipeline, 'final'),
  'cuts the sources': ({ world }) => world.cut.next(),
  'cuts the consumers': ({ world }) => world.leave.next(),
  'opens another request': ({ world, engine }) =>
    consume(world, openAnother(world, engine), engine, undefined),
  'removes the engine': ({ world, engine }) => world.removeEngine(engine),
};

/** One more request of the router, while another is being served. */
function openAnother(world: World, engine: number): number {
  const spec = { source: 'router', engine, outputs: [], upstream: [], downstream: [], host: 'none' } as const;
  return world.pipelines.push(new Pipeline({ ...spec, consumers: [], abort: 'nothing' }, world)) - 1;
}

function spelledOutput({ timestamp, output }: EngineCoreStreamOutput): string {
  return `${output.newTokenIds.length} at ${timestamp} ${output.finishReason ?? ''}`;
}

function consumerOf(
  name: string,
  place: Place,
  reaction: Reaction | undefined,
): Observer<EngineCoreStreamOutput> {
  const seen = { next: 0, error: 0, complete: 0 };
  const note = (at: Reaction['at'], what: string) => {
    place.world.log.push(`${name} ${at} ${what}`);
    if (reaction?.at === at && reaction.nth === ++seen[at]) acts[reaction.act](place);
  };
  return {
    next: (value) => note('next', spelledOutput(value)),
    error: (error) => note('error', spelled(error)),
    complete: () => note('complete', ''),
  };
}

/** Subscribes one more consumer to a pipeline. */
export function consume(
  world: World,
  pipeline: number,
  engine: number,
  reaction: Reaction | undefined,
): void {
  const own = new Subscription();
  const name = `c${world.subscriptions.length}`;
  world.subscriptions.push(own);
  const observer = consumerOf(name, { world, pipeline, engine, own }, reaction);
  own.add(world.pipelines[pipeline]!.stream.subscribe(observer));
}

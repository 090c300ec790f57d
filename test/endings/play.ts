/** Plays a run in two worlds and checks what holds after any run. */
import fc, { type Command } from 'fast-check';
import { identity } from 'rxjs';
import { expect } from 'vitest';
import { withRequestMetrics } from '../../src/index.js';
import { type Recording, recording } from '../support/recording.js';
import { expectSameLog } from './commands.js';
import { brokenHandles } from './handles.js';
import { isSettled, type SpiedRecord, spy } from './spy.js';
import { World } from './world.js';

const PROMPT = 3;

type Steps = Iterable<Command<World, World>>;

/** What runs add up to. */
export interface Tally {
  runs: number;
  requests: number;
  readonly endings: Record<string, number>;
}

interface Run {
  readonly model: World;
  readonly real: World;
  readonly recorded: Recording;
  /** Terminal records as `finishedRequests` told them. */
  readonly records: string[];
}

function worlds(model: World): Run {
  const recorded = recording();
  const { metrics } = recorded;
  const records: string[] = [];
  metrics.finishedRequests.subscribe(({ engineIndex, finishReason, numGenerationTokens, numPreemptions }) => {
    records.push(`${engineIndex} ${finishReason} ${numGenerationTokens} ${numPreemptions}`);
  });
  const operator = (engineIndex: number) =>
    withRequestMetrics(metrics, { numPromptTokens: PROMPT, engineIndex });
  return { model, real: new World({ operator, metrics }), recorded, records };
}

function finish({ model, real }: Run): void {
  for (const world of [model, real]) {
    world.act((each) => each.finish());
    // What virtual time sets going may put off the rest again, and so on.
    while (world.virtual.actions.length > 0) world.act(({ virtual }) => virtual.flush());
  }
  expectSameLog(model, real);
}

/** The streams are those without any operator. */
export function playBare(steps: Steps): void {
  const run = worlds(new World({ operator: () => identity, metrics: undefined }));
  fc.modelRun(() => ({ model: run.model, real: run.real }), steps);
  finish(run);
}

/** The streams are those with a spy, and each subscription has the one record that the spy says. */
export function playSpied(steps: Steps, tally?: Tally): void {
  const spied: SpiedRecord[] = [];
  const run = worlds(new World({ operator: (engine) => spy(engine, spied), metrics: undefined }));
  fc.modelRun(() => ({ model: run.model, real: run.real }), steps);
  finish(run);
  expectRecords(run, spied);
  if (tally !== undefined) count(tally, spied);
}

function expectRecords({ recorded: { metrics }, records }: Run, spied: readonly SpiedRecord[]): void {
  const wanted = spied
    .filter(isSettled)
    .map(
      ({ engine, reason = 'abort', tokens, preemptions }) => `${engine} ${reason} ${tokens} ${preemptions}`,
    );
  // The order of records made by one unsubscribe is not the spy's to say.
  if (records.toSorted().join() !== wanted.toSorted().join())
    expect(records.toSorted()).toEqual(wanted.toSorted());
  const broken = [0, 1].flatMap((engine) => {
    const own = spied.filter((record) => record.engine === engine);
    return brokenHandles(metrics.forEngine(engine), own, PROMPT);
  });
  const open = spied.length - wanted.length;
  if (broken.length > 0 || metrics.inFlight !== open) expect([broken, metrics.inFlight]).toEqual([[], open]);
}

function count(tally: Tally, spied: readonly SpiedRecord[]): void {
  tally.runs++;
  tally.requests += spied.length;
  for (const { isOpen, reason = isOpen ? 'still open' : 'abort' } of spied)
    tally.endings[reason] = (tally.endings[reason] ?? 0) + 1;
}

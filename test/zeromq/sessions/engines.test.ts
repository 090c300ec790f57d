/** The recorded frontend, byte for byte, against our engines: they greet and answer as upstream's. */
import { afterEach, expect, it } from 'vitest';
import type { EngineServer } from '../../../src/zeromq/index.js';
import { VECTORS } from '../../wire/decoder/vectors.js';
import { bytesOf } from '../../wire/sessions.js';
import { closeAll, HandSource } from '../rig.js';
import {
  type Conversation,
  conversation,
  NAMES,
  type Name,
  requestsIn,
  type Sent,
  type Step,
  said,
} from './conversation.js';
import { EngineRun } from './engine-run.js';
import { withAllStats, withFields, withTimestamp } from './expected-bytes.js';
import { textOf } from './received.js';
import { readRecorded } from './recorded-outputs.js';

afterEach(closeAll);

/** Messages that no engine of ours makes: these are sent as they are, by their numbers on the output socket. */
const BROKEN: { readonly [name in Name]?: number } = {
  'undecodable-output': 1,
  'output-with-one-more-field': 1,
  'empty-message': 1,
};

/** The one engine that is none of upstream's: its greetings lack keys, so that ours is to greet as upstream's does. */
const OF_ANOTHER_ENGINE: Name = 'short-arrays-and-stats';

/** What our engine says otherwise of itself: names of its own, and its place among all engines, which the mock's lacks. */
function readyFields(engineIndex: number, engines: number): Readonly<Record<string, unknown>> {
  return {
    vllm_version: 'rx-engine-metrics',
    instance_id: 'rx-engine-metrics',
    data_parallel_rank: engineIndex,
    data_parallel_size: engines,
  };
}

/** What our engines are to say on a socket that knows them: all else is the same, byte for byte. */
function expectedGreetings({ name, engines }: Conversation, socket: string): Record<string, string[]> {
  const greeting = name === OF_ANOTHER_ENGINE ? conversation('handshake-1-engine') : conversation(name);
  const byPlace: Record<string, string[]> = {};
  for (const { place, engineIndex, frames } of said(greeting, 'engine', socket)) {
    const [message] = frames;
    const same = socket === 'input' ? withFields(message!, readyFields(engineIndex, engines)) : message!;
    byPlace[place] = [...(byPlace[place] ?? []), textOf([same])];
  }
  return byPlace;
}

/** Upstream's Python encoder writes sixteen keys of statistics, its Rust one thirteen: ours writes the sixteen. */
const ALL_STATS = bytesOf(VECTORS.find(({ name }) => name === 'scheduler_stats: defaults')!.frames[0]!);

/** What our engines are to say on the output socket, where the source makes what the recorded ones made. */
function expectedOutputs(recorded: Conversation): readonly string[] {
  return said(recorded, 'engine', 'output').map(({ frames }) => {
    const message = frames[0]!;
    const batch = readRecorded(message);
    if (batch === undefined) return textOf(frames);
    // An answer has the time of the engine's last step; there was none.
    return textOf([batch.utilityOutput ? withTimestamp(message, 0) : withAllStats(message, ALL_STATS)]);
  });
}

/** Has the server or its source make what a recorded engine made; answers to calls the server makes by itself. */
async function makeAsRecorded(
  step: Step,
  recorded: Conversation,
  server: EngineServer,
  source: HandSource,
): Promise<void> {
  const before = recorded.steps.slice(0, recorded.steps.indexOf(step));
  const requests = before.filter(({ decoded }) => (decoded as Partial<Sent>).type === 'ADD').length;
  await source.until(({ submitted }) => submitted.length >= requests);
  const { engineIndex, decoded } = step;
  const message = step.frames[0]!;
  const number = before.filter(({ socket }) => socket === 'output').length;
  const batch = readRecorded(message);
  if (decoded === 'ENGINE_CORE_DEAD') await server.die(engineIndex);
  else if (number === BROKEN[recorded.name]) server.sendRaw(engineIndex, message);
  else if (batch !== undefined && !batch.utilityOutput) source.send(batch);
}

it.each(NAMES)('serveEngines greets and answers in %s with the recorded bytes', async (name) => {
  const recorded = conversation(name);
  const source = new HandSource();
  const fields = name === OF_ANOTHER_ENGINE ? 'short' : 'all';
  const run = await EngineRun.play(recorded, source, fields, (step, server) =>
    makeAsRecorded(step, recorded, server, source),
  );
  if (name !== 'engine-core-dead') await run.fence();
  const expected = expectedOutputs(recorded);
  await run.until(`expected ${expected.length} outputs`, () => run.at('output').length >= expected.length);
  expect(run.at('output')).toEqual(expected);
  const greetings = {
    ...expectedGreetings(recorded, 'handshake'),
    ...expectedGreetings(recorded, 'input'),
  };
  expect(Object.fromEntries(Object.keys(greetings).map((place) => [place, run.at(place)]))).toEqual(
    greetings,
  );
  expect(source.submitted).toMatchObject(requestsIn(recorded));
  expect(run.diagnostics).toEqual([]);
});

/** The recorded frontends against simulated engines: every request ends once, for its reason, and calls are answered. */
import { asyncScheduler } from 'rxjs';
import { afterEach, expect, it } from 'vitest';
import { type EngineFleet, simulateEngines } from '../../../src/simulator/index.js';
import { closeAll, keep } from '../rig.js';
import {
  ABORTING_NAMES,
  type Conversation,
  conversation,
  NAMES,
  requestsIn,
  type Sent,
  said,
} from './conversation.js';
import { EngineRun } from './engine-run.js';
import { answerIn, endsIn } from './raw-outputs.js';
import { textOf } from './received.js';

afterEach(closeAll);

/** Finish reasons on the wire. */
const LENGTH = 1;
const ABORT = 2;

function simulated(engines: number): EngineFleet {
  const settings = { engines, seed: 1, scheduler: asyncScheduler, abortReply: 'silent' as const };
  const fleet = simulateEngines({ ...settings, stepTime: { baseMs: 1 } });
  keep({ close: async () => fleet.close() });
  return fleet;
}

function abortedIn(recorded: Conversation): readonly string[] {
  return said(recorded, 'frontend', 'input').flatMap(({ decoded }) => {
    const { type, payload } = decoded as Sent;
    return type === 'ABORT' ? payload : [];
  });
}

/** A request that nobody aborts gets as many tokens as it may have; of another only the end is known. */
function expectedEnds(recorded: Conversation): Readonly<Record<string, unknown>> {
  const aborted = abortedIn(recorded);
  const ends = requestsIn(recorded).map(({ engineIndex, request: { requestId, samplingParams } }) => {
    const end = aborted.includes(requestId)
      ? { tokens: expect.any(Number), finishReasons: [ABORT] }
      : { tokens: samplingParams?.maxTokens, finishReasons: [LENGTH] };
    return [`${engineIndex} ${requestId}`, end] as const;
  });
  return Object.fromEntries(ends);
}

it.each([...NAMES, ...ABORTING_NAMES])('serveEngines ends all that is asked in %s', async (name) => {
  const recorded = conversation(name);
  const run = await EngineRun.play(recorded, simulated(recorded.engines), 'all', async () => {});
  const expected = expectedEnds(recorded);
  const hasEnded = (key: string) => (endsIn(run.at('output'))[key]?.finishReasons.length ?? 0) > 0;
  await run.until('expected an end of each request', () => Object.keys(expected).every(hasEnded));
  await run.fence();
  expect(endsIn(run.at('output'))).toEqual(expected);
  const answers = said(recorded, 'engine', 'output').map(({ frames }) => answerIn(textOf(frames)));
  expect(run.at('output').map(answerIn).filter(Boolean)).toEqual(answers.filter(Boolean));
  expect(run.diagnostics).toEqual([]);
});

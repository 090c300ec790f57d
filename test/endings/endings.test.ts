/**
 * Random runs of many concurrent requests, each step done with the operator and without: consumers see the same, and
 * each subscription has one record. `npm run test:long` makes many more of them and prints what they came to.
 */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { calmSteps, steps } from './commands.js';
import { playBare, playSpied, type Tally } from './play.js';

const RUNS = Number(process.env['RX_ENGINE_METRICS_RUNS'] ?? 5000);
const LONG = RUNS > 5000;

const size = { maxCommands: 24, size: 'max' } as const;
const runs = fc.commands(steps, size);
const calmRuns = fc.commands(calmSteps, size);

it(
  'changes no stream and makes one record a subscription, whatever happens',
  () => {
    const tally: Tally = { runs: 0, requests: 0, endings: {} };
    fc.assert(
      fc.property(runs, (commands) => playSpied(commands, tally)),
      { numRuns: RUNS },
    );
    expect(tally.requests).toBeGreaterThan(RUNS);
    expect(Object.keys(tally.endings)).toEqual(expect.arrayContaining(['abort', 'error', 'length', 'stop']));
    if (LONG) console.log(`endings: ${tally.runs} runs, ${tally.requests} requests`, tally.endings);
  },
  RUNS * 100,
);

it(
  'changes no stream as against no operator at all, where no teardown throws',
  () => {
    fc.assert(fc.property(calmRuns, playBare), { numRuns: RUNS / 10 });
  },
  RUNS * 100,
);

/** Runs that once failed, here or in the harness, by name. */
import { expect, it } from 'vitest';
import { happen, open, type Step, send, unsubscribe } from './commands.js';
import { playSpied, type Tally } from './play.js';
import type { PipelineSpec } from './spec.js';

const plain: PipelineSpec = {
  source: 'router',
  engine: 0,
  outputs: [],
  upstream: [],
  downstream: [],
  host: 'none',
  consumers: [undefined],
  abort: 'nothing',
};

const runs: readonly (readonly [name: string, steps: readonly Step[], endings: Tally['endings']])[] = [
  [
    'a consumer leaves with the final output, and onAbort would answer',
    [
      open({ ...plain, downstream: ['takeWhile inclusive'], abort: 'answers' }),
      send(0, 'token'),
      send(0, 'final'),
    ],
    { stop: 1 },
  ],
  [
    'a teardown that throws stops an inner of concat half-way, under shareReplay: the request stays open',
    [
      open({
        ...plain,
        upstream: ['takeUntil', 'startWith'],
        downstream: ['shareReplay'],
        consumers: [{ at: 'next', nth: 2, act: 'cuts the sources' }],
        abort: 'throws',
      }),
      send(0, 'token'),
    ],
    { 'still open': 1 },
  ],
  [
    'onAbort and a finalize throw in one unsubscribe',
    [
      open({ ...plain, upstream: ['subscribeOn asap'], downstream: ['finalize throws'], abort: 'throws' }),
      unsubscribe(0),
    ],
    { abort: 1 },
  ],
  [
    'finalize throws in virtual time, and later outputs still come',
    [
      open({
        ...plain,
        source: 'virtual scheduler',
        outputs: ['token'],
        upstream: ['finalize throws', 'delay virtual'],
        downstream: ['shareReplay'],
      }),
      happen('cut sources'),
    ],
    { abort: 1 },
  ],
  [
    'a repeat starts a silent source anew while all is being ended',
    [
      open({
        ...plain,
        source: 'synchronous, then silent',
        upstream: ['repeat'],
        downstream: ['shareReplay'],
      }),
      send(0, 'token'),
    ],
    { abort: 1 },
  ],
  [
    'a finalize that throws loses the end of an inner of concat, under shareReplay: its record is made',
    [
      open({ ...plain, upstream: ['finalize throws', 'startWith'], downstream: ['shareReplay'] }),
      send(0, 'final'),
    ],
    { stop: 1 },
  ],
  [
    'a source throws at subscribe, later, before a finalize that throws',
    [open({ ...plain, source: 'throws at subscribe', downstream: ['subscribeOn asap', 'finalize throws'] })],
    { error: 1 },
  ],
  [
    'async and virtual time take turns',
    [
      open({
        ...plain,
        source: 'virtual scheduler',
        upstream: ['observeOn async'],
        downstream: ['repeat', 'shareReplay'],
      }),
    ],
    { abort: 2 },
  ],
  [
    'an uncaught error while asap work is queued',
    [
      open({
        ...plain,
        source: 'async scheduler',
        outputs: ['final empty'],
        downstream: ['finalize throws', 'observeOn asap'],
        host: 'concatMap',
      }),
      unsubscribe(0),
    ],
    { length: 2 },
  ],
];

it.each(runs)('changes no stream and makes one record a subscription: %s', (_name, steps, endings) => {
  const tally: Tally = { runs: 0, requests: 0, endings: {} };
  playSpied(steps, tally);
  expect(tally.endings).toEqual(endings);
});

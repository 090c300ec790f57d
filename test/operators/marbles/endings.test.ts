/** One subscription, one ending: the mirrored stream, the source's subscription, and every terminal family. */
import { expect, it } from 'vitest';
import { runMarbles } from '../../../src/testing/index.js';
import { type Ended, expectEnded } from './ended.js';
import { marbleRun, sawA, sawAB, sawABZ, sawNothing, values } from './marble-request.js';

type Row = readonly [name: string, source: string, subscription: string, mirrored: string, ended: Ended];

/** Frames are ms: `a` at 1 ms is a time to first token of 0.001 s. */
const rows: readonly Row[] = [
  [
    'finish, then complete',
    '-a-b-(z|)',
    '^--------',
    '-a-b-(z|)',
    { reason: 'length', ...sawABZ, e2e: 0.005 },
  ],
  [
    'finish, complete later',
    '-a-b-z--|',
    '^--------',
    '-a-b-z--|',
    { reason: 'length', ...sawABZ, e2e: 0.005 },
  ],
  ['finish, then cancel', '-a-b-z---', '^------!-', '-a-b-z---', { reason: 'length', ...sawABZ, e2e: 0.005 }],
  ['finish, then error', '-a-b-z-#', '^--------', '-a-b-z-#', { reason: 'length', ...sawABZ, e2e: 0.005 }],
  [
    'finish without tokens',
    '-a-b-y-|',
    '^--------',
    '-a-b-y-|',
    { reason: 'repetition', ...sawAB, e2e: 0.005 },
  ],
  [
    'outputs after the finish',
    '-a-b-z-b-z-a-|',
    '^-------------',
    '-a-b-z-b-z-a-|',
    { reason: 'length', ...sawABZ, e2e: 0.005 },
  ],
  [
    'a second, other finish',
    '-a-b-z-y-|',
    '^-------------',
    '-a-b-z-y-|',
    { reason: 'length', ...sawABZ, e2e: 0.005 },
  ],
  [
    'an output without tokens',
    '-a-b-e-z-|',
    '^-------------',
    '-a-b-e-z-|',
    { reason: 'length', ...sawABZ, e2e: 0.007 },
  ],
  [
    'cancel before a finish',
    '-a-b-----',
    '^----!---',
    '-a-b-----',
    { reason: 'abort', ...sawAB, e2e: 0.005 },
  ],
  [
    'cancel after one output',
    '-a-b-----',
    '^-!------',
    '-a-------',
    { reason: 'abort', ...sawA, e2e: 0.002 },
  ],
  [
    'cancel before the first output',
    '---a-b---',
    '^-!------',
    '---------',
    { reason: 'abort', ...sawNothing, e2e: 0.002 },
  ],
  ['cancel at once', '---a-b---', '(^!)-----', '---------', { reason: 'abort', ...sawNothing, e2e: 0 }],
  ['source error', '-a-#-----', '^--------', '-a-#-----', { reason: 'error', ...sawA, e2e: 0.003 }],
  [
    'source error before any output',
    '#--------',
    '^--------',
    '#--------',
    { reason: 'error', ...sawNothing, e2e: 0 },
  ],
  [
    'completion without a finish',
    '-a-b-|---',
    '^--------',
    '-a-b-|---',
    { reason: 'abort', ...sawAB, e2e: 0.005 },
  ],
  [
    'completion without any output',
    '--|------',
    '^--------',
    '--|------',
    { reason: 'abort', ...sawNothing, e2e: 0.002 },
  ],
];

const firstToken = (ended: Ended): Ended => (ended.tokens === 0 ? ended : { ...ended, ttft: 0.001 });

it.each(rows)(
  'records one ending and mirrors the stream: %s',
  async (_name, source, subscription, mirrored, ended) => {
    const run = runMarbles(({ clock, cold, expectObservable }) => {
      const started = marbleRun(clock);
      expectObservable(cold(source, values).pipe(started.operator), subscription).toBe(mirrored, values);
      return started;
    });
    await expectEnded(run, [firstToken(ended)]);
    expect(run.diagnostics).toEqual([]);
  },
);

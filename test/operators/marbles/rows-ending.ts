/** Marble rows of operators that end a request, before or after its own. */
import { first, map, take, takeUntil, takeWhile } from 'rxjs';
import type { EngineCoreStreamOutput } from '../../../src/index.js';
import type { Ended } from './ended.js';
import { sawA, sawAB, sawABZ, sawNothing, values } from './marble-request.js';
import type { MarbleRow } from './marble-row.js';

const isLive = ({ output }: EngineCoreStreamOutput): boolean => output.finishReason === undefined;
const boom = new Error('downstream');
const finished: Ended = { reason: 'length', ...sawABZ, ttft: 0.001, e2e: 0.005 };

const throwAtB = map((value: EngineCoreStreamOutput) => {
  if (value === values.b) throw boom;
  return value;
});

export const oneSubscription: readonly MarbleRow[] = [
  {
    name: 'take that ends with the finish',
    source: '-a-b-z---',
    stream: (source, operator) => source.pipe(operator, take(3)),
    mirrored: '-a-b-(z|)',
    sourceSubscriptions: '^----!',
    ended: [finished],
  },
  {
    name: 'take before the finish',
    source: '-a-b-z---',
    stream: (source, operator) => source.pipe(operator, take(2)),
    mirrored: '-a-(b|)',
    sourceSubscriptions: '^--!',
    ended: [{ reason: 'abort', ...sawAB, ttft: 0.001, e2e: 0.003 }],
  },
  {
    name: 'takeWhile that includes the finish',
    source: '-a-b-z---',
    stream: (source, operator) => source.pipe(operator, takeWhile(isLive, true)),
    mirrored: '-a-b-(z|)',
    sourceSubscriptions: '^----!',
    ended: [finished],
  },
  {
    name: 'takeWhile that leaves the finish out',
    source: '-a-b-z---',
    stream: (source, operator) => source.pipe(operator, takeWhile(isLive)),
    mirrored: '-a-b-|',
    sourceSubscriptions: '^----!',
    ended: [finished],
  },
  {
    name: 'first',
    source: '-a-b-z---',
    stream: (source, operator) => source.pipe(operator, first()),
    mirrored: '-(a|)',
    sourceSubscriptions: '^!',
    ended: [{ reason: 'abort', ...sawA, ttft: 0.001, e2e: 0.001 }],
  },
  {
    name: 'takeUntil upstream',
    source: '-a-b-z---',
    stream: (source, operator, { cold }) => source.pipe(takeUntil(cold('----x')), operator),
    mirrored: '-a-b|',
    sourceSubscriptions: '^---!',
    ended: [{ reason: 'abort', ...sawAB, ttft: 0.001, e2e: 0.004 }],
  },
  {
    name: 'takeUntil downstream',
    source: '-a-b-z---',
    stream: (source, operator, { cold }) => source.pipe(operator, takeUntil(cold('----x'))),
    mirrored: '-a-b|',
    sourceSubscriptions: '^---!',
    ended: [{ reason: 'abort', ...sawAB, ttft: 0.001, e2e: 0.004 }],
  },
  {
    name: 'a notifier that has already fired',
    source: '-a-b-z---',
    stream: (source, operator, { cold }) => source.pipe(operator, takeUntil(cold('(x|)'))),
    mirrored: '|',
    sourceSubscriptions: '(^!)',
    ended: [{ reason: 'abort', ...sawNothing, e2e: 0 }],
  },
  {
    name: 'an operator that throws downstream',
    source: '-a-b-z---',
    stream: (source, operator) => source.pipe(operator, throwAtB),
    mirrored: '-a-#',
    sourceSubscriptions: '^--!',
    ended: [{ reason: 'abort', ...sawAB, ttft: 0.001, e2e: 0.003 }],
    error: boom,
  },
  {
    name: 'an operator that throws upstream',
    source: '-a-b-z---',
    stream: (source, operator) => source.pipe(throwAtB, operator),
    mirrored: '-a-#',
    sourceSubscriptions: '^--!',
    ended: [{ reason: 'error', ...sawA, ttft: 0.001, e2e: 0.003 }],
    error: boom,
  },
];

/** Marble rows with several subscriptions of one request's stream: each is a request of its own. */
import { concatMap, merge, mergeMap, repeat, retry, share, shareReplay, switchMap, take } from 'rxjs';
import type { Ended } from './ended.js';
import { sawA, sawAB, sawABZ } from './marble-request.js';
import type { MarbleRow } from './marble-row.js';

const finishedLate: Ended = { reason: 'length', ...sawABZ, ttft: 0.001, e2e: 0.009 };
const finished: Ended = { reason: 'length', ...sawABZ, ttft: 0.001, e2e: 0.005 };

export const severalSubscriptions: readonly MarbleRow[] = [
  {
    name: 'two subscriptions',
    source: '-a---b---z---|',
    stream: (source, operator) => {
      const outputs = source.pipe(operator);
      return merge(outputs, outputs);
    },
    mirrored: '-(aa)(bb)(zz)|',
    sourceSubscriptions: ['^------------!', '^------------!'],
    ended: [finishedLate, finishedLate],
  },
  {
    name: 'retry',
    source: '-a-#',
    stream: (source, operator) => source.pipe(operator, retry(2)),
    mirrored: '-a--a--a-#',
    sourceSubscriptions: ['^--!', '---^--!', '------^--!'],
    ended: Array.from({ length: 3 }, () => ({ reason: 'error', ...sawA, ttft: 0.001, e2e: 0.003 })),
  },
  {
    name: 'repeat',
    source: '-a-b-(z|)',
    stream: (source, operator) => source.pipe(operator, repeat(2)),
    mirrored: '-a-b-za-b-(z|)',
    sourceSubscriptions: ['^----!', '-----^----!'],
    ended: [finished, finished],
  },
  {
    name: 'repeat of a stream without a finish',
    source: '-a|',
    stream: (source, operator) => source.pipe(operator, repeat(3)),
    mirrored: '-a-a-a|',
    sourceSubscriptions: ['^-!', '--^-!', '----^-!'],
    ended: Array.from({ length: 3 }, () => ({ reason: 'abort', ...sawA, ttft: 0.001, e2e: 0.002 })),
  },
  {
    name: 'share',
    source: '-a---b---z---|',
    stream: (source, operator) => {
      const outputs = source.pipe(operator, share());
      return merge(outputs, outputs.pipe(take(1)));
    },
    mirrored: '-(aa)b---z---|',
    sourceSubscriptions: '^------------!',
    ended: [finishedLate],
  },
  {
    name: 'shareReplay without a count, whose consumers all leave',
    source: '-a-b-z|',
    stream: (source, operator) => source.pipe(operator, shareReplay(1)),
    subscription: '^-!',
    mirrored: '-a',
    sourceSubscriptions: '^-----!',
    ended: [finished],
  },
  {
    name: 'shareReplay with a count, whose consumers all leave',
    source: '-a-b-z|',
    stream: (source, operator) => source.pipe(operator, shareReplay({ bufferSize: 1, refCount: true })),
    subscription: '^-!',
    mirrored: '-a',
    sourceSubscriptions: '^-!',
    ended: [{ reason: 'abort', ...sawA, ttft: 0.001, e2e: 0.002 }],
  },
  {
    name: 'concatMap',
    source: '-a-b-(z|)',
    stream: (source, operator, { cold }) => cold('(xx|)').pipe(concatMap(() => source.pipe(operator))),
    mirrored: '-a-b-za-b-(z|)',
    sourceSubscriptions: ['^----!', '-----^----!'],
    ended: [finished, finished],
  },
  {
    name: 'switchMap',
    source: '-a-b-z|',
    stream: (source, operator, { cold }) => cold('x---x|').pipe(switchMap(() => source.pipe(operator))),
    mirrored: '-a-b-a-b-z|',
    sourceSubscriptions: ['^---!', '----^-----!'],
    ended: [{ reason: 'abort', ...sawAB, ttft: 0.001, e2e: 0.004 }, finished],
  },
  {
    name: 'mergeMap',
    source: '-a-b-z|',
    stream: (source, operator, { cold }) => cold('x------x|').pipe(mergeMap(() => source.pipe(operator))),
    mirrored: '-a-b-z--a-b-z|',
    sourceSubscriptions: ['^-----!', '-------^-----!'],
    ended: [finished, finished],
  },
];

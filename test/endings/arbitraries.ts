/** Random specs. */
import fc, { type Arbitrary } from 'fast-check';
import type {
  HostKind,
  OperatorKind,
  OutputKind,
  PipelineSpec,
  Reaction,
  ReactionKind,
  SourceKind,
} from './spec.js';

const all = <T extends string>(...kinds: readonly T[]): Arbitrary<T> => fc.constantFrom(...kinds);

export const output: Arbitrary<OutputKind> = all(
  'token',
  'token',
  'token',
  'three',
  'empty',
  'preempted',
  'final',
  'final empty',
  'final unheard of',
);

const source: Arbitrary<SourceKind> = all(
  'router',
  'router',
  'router, a new request each time',
  'router, a new request each time',
  'subject',
  'subject',
  'synchronous',
  'synchronous, then silent',
  'synchronous, then an error',
  'throws at subscribe',
  'async scheduler',
  'asap scheduler',
  'queue scheduler',
  'virtual scheduler',
);

const operator: Arbitrary<OperatorKind> = all(
  'take(2)',
  'takeWhile inclusive',
  'takeUntil',
  'first',
  'throws at the second',
  'throws at the final',
  'finalize throws',
  'catchError',
  'retry',
  'repeat',
  'share',
  'shareReplay',
  'shareReplay refCount',
  'startWith',
  'late outputs',
  'observeOn queue',
  'observeOn asap',
  'observeOn async',
  'observeOn virtual',
  'delay virtual',
  'subscribeOn asap',
);

export const reaction: Arbitrary<Reaction> = fc.record({
  at: all('next', 'next', 'error', 'complete'),
  nth: fc.integer({ min: 1, max: 3 }),
  act: all<ReactionKind>(
    'unsubscribes itself',
    'unsubscribes all',
    'throws',
    'makes its source send',
    'makes its source finish',
    'cuts the sources',
    'cuts the consumers',
    'opens another request',
    'removes the engine',
  ),
});

export const pipeline: Arbitrary<PipelineSpec> = fc.record({
  source,
  engine: fc.nat({ max: 1 }),
  outputs: fc.array(output, { maxLength: 4 }),
  upstream: fc.array(operator, { maxLength: 2 }),
  downstream: fc.array(operator, { maxLength: 2 }),
  host: all<HostKind>('none', 'none', 'none', 'concatMap', 'switchMap', 'mergeMap', 'exhaustMap'),
  consumers: fc.array(fc.option(reaction, { nil: undefined }), { minLength: 1, maxLength: 2 }),
  abort: all('nothing', 'nothing', 'throws', 'answers'),
});

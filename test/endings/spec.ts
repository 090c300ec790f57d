/** What a random run is made of, as data: both worlds build the same from it. */
/** One output of an engine. */
export type OutputKind =
  | 'token'
  | 'three'
  | 'empty'
  | 'preempted'
  | 'final'
  | 'final empty'
  | 'final unheard of';

/** Where outputs come from. */
export type SourceKind =
  | 'router'
  | 'router, a new request each time'
  | 'subject'
  | 'synchronous'
  | 'synchronous, then silent'
  | 'synchronous, then an error'
  | 'throws at subscribe'
  | 'async scheduler'
  | 'asap scheduler'
  | 'queue scheduler'
  | 'virtual scheduler';

export type OperatorKind =
  | 'take(2)'
  | 'takeWhile inclusive'
  | 'takeUntil'
  | 'first'
  | 'throws at the second'
  | 'throws at the final'
  | 'finalize throws'
  | 'catchError'
  | 'retry'
  | 'repeat'
  | 'share'
  | 'shareReplay'
  | 'shareReplay refCount'
  | 'startWith'
  | 'late outputs'
  | 'observeOn queue'
  | 'observeOn asap'
  | 'observeOn async'
  | 'observeOn virtual'
  | 'delay virtual'
  | 'subscribeOn asap';

/** What subscribes to the request's stream. */
export type HostKind = 'none' | 'concatMap' | 'switchMap' | 'mergeMap' | 'exhaustMap';

export type ReactionKind =
  | 'unsubscribes itself'
  | 'unsubscribes all'
  | 'throws'
  | 'makes its source send'
  | 'makes its source finish'
  | 'cuts the sources'
  | 'cuts the consumers'
  | 'opens another request'
  | 'removes the engine';

/** Something a consumer does, once. */
export interface Reaction {
  readonly at: 'next' | 'error' | 'complete';
  readonly nth: number;
  readonly act: ReactionKind;
}

export interface PipelineSpec {
  readonly source: SourceKind;
  readonly engine: number;
  /** What a source sends by itself. */
  readonly outputs: readonly OutputKind[];
  readonly upstream: readonly OperatorKind[];
  readonly downstream: readonly OperatorKind[];
  readonly host: HostKind;
  /** Each a subscription. */
  readonly consumers: readonly (Reaction | undefined)[];
  /** What `onAbort` does. */
  readonly abort: 'nothing' | 'throws' | 'answers';
}

/**
 * Which engine's clock each stamp of a request is by: every engine has its own, and an interval between two says
 * nothing. Made with the first output of another engine than the request's: a request that stays has none.
 */
export interface StampClocks {
  /** The engine whose output came last. */
  current: number;
  queued: number;
  scheduled: number;
  firstToken: number;
  lastToken: number;
}

/** A request whose stamps they are. */
export interface Stamped {
  clocks: StampClocks | undefined;
  readonly plan: { readonly engineIndex: number };
}

export type EngineStamp = Exclude<keyof StampClocks, 'current'>;

/** The engine whose clock the next stamp is by. */
export function currentClock({ clocks, plan }: Stamped): number {
  return clocks === undefined ? plan.engineIndex : clocks.current;
}

/** Goes by another engine's clock from now on. */
export function changeClock(state: Stamped, engine: number): void {
  const { engineIndex } = state.plan;
  state.clocks ??= {
    current: engineIndex,
    queued: engineIndex,
    scheduled: engineIndex,
    firstToken: engineIndex,
    lastToken: engineIndex,
  };
  state.clocks.current = engine;
}

/** Notes that a stamp was taken, by the current clock. */
export function noteClock({ clocks }: Stamped, stamp: EngineStamp): void {
  if (clocks !== undefined) clocks[stamp] = clocks.current;
}

/** True if the last token was of the engine whose output came last. */
export function lastTokenIsCurrent({ clocks }: Stamped): boolean {
  return clocks === undefined || clocks.lastToken === clocks.current;
}

/** True for two stamps of one clock. */
export function shareClock({ clocks }: Stamped, start: EngineStamp, end: EngineStamp): boolean {
  return clocks === undefined || clocks[start] === clocks[end];
}

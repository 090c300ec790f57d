/** How a fleet stands, as JSON: `/api/fleet` answers with it, and the live page reads it. Imports nothing. */

/** `draining`: takes nothing new, and leaves with its last request. */
export type EngineState = 'running' | 'draining' | 'dead';

export interface EngineStatus {
  readonly engineIndex: number;
  readonly state: EngineState;
  readonly running: number;
  /** Deferred ones among them. */
  readonly waiting: number;
  /** 0 to 1. */
  readonly kvCacheUsage: number;
}

export interface LoadStatus {
  /** Background requests a second, on average. */
  readonly rate: number;
  /** The share of them that leave in mid-stream, 0 to 1. */
  readonly abortRate: number;
}

export interface FleetStatus {
  /** Whether engines can be added, killed and removed from here; else the routes for it answer 409. */
  readonly canChange: boolean;
  readonly engines: readonly EngineStatus[];
  readonly load: LoadStatus;
}

import type { EngineInterval } from './stats-engine.js';

/** The engines of one entry. */
export type EngineIntervals = readonly EngineInterval[];

/** A figure added up over engines. */
export function sum(engines: EngineIntervals, figureOf: (engine: EngineInterval) => number): number {
  let total = 0;
  for (const engine of engines) total += figureOf(engine);
  return total;
}

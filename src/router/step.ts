import type { EngineCoreOutputs } from '../engine-core/engine-core-outputs.js';

/** What the router reads of a batch, once. A batch comes from outside: what cannot be read is not there. */
export interface Step {
  readonly batch: EngineCoreOutputs;
  /** How many batches had come with it: it is not for requests that were opened later. */
  readonly arrival: number;
  /** The engine that made it; undefined if it does not say. */
  readonly engineIndex: number | undefined;
  /** Not yet read; none if there is no list. */
  readonly outputs: readonly unknown[];
  /** The ids of the requests that it says have ended. */
  readonly finishedRequests: readonly string[];
}

export function stepOf(batch: EngineCoreOutputs, arrival: number): Step {
  const engineIndex = read(() => batch.engineIndex ?? undefined);
  const outputs = read(() => listOf<unknown>(batch.outputs));
  const finishedRequests = read(() => [...listOf<string>(batch.finishedRequests)]);
  return {
    batch,
    arrival,
    engineIndex,
    outputs: outputs ?? NOTHING,
    finishedRequests: finishedRequests ?? NOTHING,
  };
}

const NOTHING: readonly never[] = [];

function listOf<T>(value: readonly T[] | null | undefined): readonly T[] {
  return Array.isArray(value) && value.length > 0 ? value : NOTHING;
}

function read<T>(part: () => T): T | undefined {
  try {
    return part();
  } catch {
    return undefined;
  }
}

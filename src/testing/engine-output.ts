import type { EngineCoreEvent, FinishReason } from '../engine-core/engine-core-event.js';
import type {
  EngineCoreOutput,
  EngineCoreStreamOutput,
  PrefillStats,
} from '../engine-core/engine-core-outputs.js';

/** Fields of an output that replace the wire's defaults. */
export interface EngineOutputOptions {
  /** Seconds, engine clock; 0 by default. */
  readonly timestamp?: number | undefined;
  readonly finishReason?: FinishReason | undefined;
  readonly events?: readonly EngineCoreEvent[] | undefined;
  readonly prefillStats?: PrefillStats | undefined;
  readonly numNansInLogits?: number | undefined;
  readonly engineIndex?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Every field, always in the same order: outputs of several shapes would slow down the code under test. */
function outputOf(newTokenIds: readonly number[], options: EngineOutputOptions): EngineCoreOutput {
  return {
    requestId: options.requestId ?? 'request',
    newTokenIds,
    newLogprobs: undefined,
    newPromptLogprobsTensors: undefined,
    poolingOutput: undefined,
    finishReason: options.finishReason,
    stopReason: undefined,
    events: options.events,
    kvTransferParams: undefined,
    ecTransferParams: undefined,
    traceHeaders: undefined,
    prefillStats: options.prefillStats,
    routedExperts: undefined,
    numNansInLogits: options.numNansInLogits ?? 0,
    mmCacheMissHashes: undefined,
    newSamplingMask: undefined,
    specDecodeMetrics: undefined,
    promptTokenIdLogprobs: undefined,
  };
}

/**
 * Builds one output as a request's stream carries it.
 * @param newTokens the number of its new tokens, or their ids
 * @throws {RangeError} if that number is not a whole number of at least 0.
 */
export function engineOutput(
  newTokens: number | readonly number[],
  options: EngineOutputOptions = {},
): EngineCoreStreamOutput {
  const ids =
    typeof newTokens === 'number' ? Array.from({ length: checkedLength(newTokens) }, (_, i) => i) : newTokens;
  const { engineIndex = 0, timestamp = 0 } = options;
  return { engineIndex, timestamp, output: outputOf(ids, options) };
}

function checkedLength(newTokens: number): number {
  if (Number.isSafeInteger(newTokens) && newTokens >= 0) return newTokens;
  throw new RangeError(`engineOutput.newTokens: expected a whole number of at least 0, got ${newTokens}`);
}

import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { UtilityCall } from '../../wire/requests/utility-call.js';

/** As upstream's mock engine answers; every other method with nothing. */
const ANSWERS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['get_supported_tasks', ['generate']],
  ['is_sleeping', false],
  ['reset_prefix_cache', true],
]);

/** The message that answers a call. */
export function answerTo(
  { callId, method }: UtilityCall,
  engineIndex: number,
  timestamp: number,
): EngineCoreOutputs {
  const result = ANSWERS.get(method) ?? null;
  return { engineIndex, timestamp, outputs: [], utilityOutput: { callId, result } };
}

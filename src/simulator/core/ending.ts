import type { FinishReason } from '../../engine-core/engine-core-outputs.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { SeededRandom } from '../random.js';
import type { SimulatedRequest } from '../request.js';

/** How and when a request will end. */
export interface Ending {
  /** Output tokens. */
  readonly targetTokens: number;
  readonly reason: FinishReason;
  /** The end comes in an output of its own, without tokens. */
  readonly endsEmpty: boolean;
}

/** Decided at arrival, so that a preemption changes nothing about it. */
export function endingOf(request: SimulatedRequest, config: EngineConfig, random: SeededRandom): Ending {
  const cap = Math.min(request.maxTokens ?? Infinity, config.maxModelLen - request.numPromptTokens);
  const targetTokens = Math.min(request.numOutputTokens, cap);
  if (random.chance(config.errorRate))
    return { targetTokens: random.upTo(targetTokens), reason: 'error', endsEmpty: true };
  const reason = request.finishReason ?? (request.numOutputTokens >= cap ? 'length' : 'stop');
  return { targetTokens, reason, endsEmpty: reason === 'error' || reason === 'abort' };
}

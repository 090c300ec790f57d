import type { FinishReason } from '../../engine-core/engine-core-event.js';
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

/** What of an engine's configuration decides it. */
interface EndingConfig {
  readonly maxModelLen: number;
  readonly errorRate: number;
}

/** Decided at arrival, so that a preemption changes nothing about it. */
export function endingOf(request: SimulatedRequest, config: EndingConfig, random: SeededRandom): Ending {
  const cap = Math.min(request.maxTokens ?? Infinity, config.maxModelLen - request.numPromptTokens);
  const targetTokens = Math.min(request.numOutputTokens, cap);
  if (random.chance(config.errorRate))
    return { targetTokens: random.upTo(targetTokens), reason: 'error', endsEmpty: true };
  const reason = request.finishReason ?? (request.numOutputTokens >= cap ? 'length' : 'stop');
  return { targetTokens, reason, endsEmpty: reason === 'error' || reason === 'abort' };
}

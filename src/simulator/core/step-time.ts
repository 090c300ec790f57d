import { finiteNumber, fraction, positiveNumber } from '../checks.js';
import type { StepTimeOptions } from '../options.js';
import type { SeededRandom } from '../random.js';
import type { StepPlan } from './step-plan.js';

/** {@link StepTimeOptions} with defaults, in milliseconds. */
export interface StepTimeConfig {
  readonly baseMs: number;
  readonly perPrefillTokenMs: number;
  readonly perDecodeSeqMs: number;
  readonly jitter: number;
}

/** @throws {RangeError} naming the option. */
export function stepTimeConfig(options: StepTimeOptions): StepTimeConfig {
  const jitter = fraction('stepTime.jitter', options.jitter ?? 0);
  if (jitter === 1) throw new RangeError('stepTime.jitter: expected a number below 1, got 1');
  return {
    baseMs: positiveNumber('stepTime.baseMs', options.baseMs ?? 6),
    perPrefillTokenMs: finiteNumber('stepTime.perPrefillTokenMs', options.perPrefillTokenMs ?? 0.04, 0),
    perDecodeSeqMs: finiteNumber('stepTime.perDecodeSeqMs', options.perDecodeSeqMs ?? 0.03, 0),
    jitter,
  };
}

/** Milliseconds that a planned step takes. */
export function stepDuration(config: StepTimeConfig, plan: StepPlan, random: SeededRandom): number {
  const mean =
    config.baseMs +
    config.perPrefillTokenMs * plan.numPrefillTokens +
    config.perDecodeSeqMs * plan.numDecodeSeqs;
  return config.jitter === 0 ? mean : mean * (1 + config.jitter * (2 * random.next() - 1));
}

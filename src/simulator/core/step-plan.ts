import type { StepTimeConfig } from '../config/engine-config.js';
import type { SeededRandom } from '../random.js';
import type { LiveRequest } from './live-request.js';

/** What one step has been given to do. One object an engine, filled anew each step. */
export class StepPlan {
  /** Tokens that may still be scheduled. */
  tokenBudget = 0;
  numPrefillTokens = 0;
  numDecodeSeqs = 0;
  /** Scheduled tokens, drafts included. */
  numTokens = 0;
  /** KV tokens that the step's attention reads. */
  numContextTokens = 0;
  numPreempted = 0;

  reset(tokenBudget: number): void {
    this.tokenBudget = tokenBudget;
    this.numPrefillTokens = 0;
    this.numDecodeSeqs = 0;
    this.numTokens = 0;
    this.numContextTokens = 0;
    this.numPreempted = 0;
  }

  grant(request: LiveRequest, numTokens: number, decodes: boolean): void {
    request.numScheduledTokens = numTokens;
    request.numDraftTokens = decodes ? numTokens - 1 : 0;
    this.tokenBudget -= numTokens;
    this.numTokens += numTokens;
    this.numContextTokens += request.numComputedTokens;
    if (decodes) this.numDecodeSeqs++;
    else this.numPrefillTokens += numTokens;
  }
}

/** Milliseconds that a planned step takes. */
export function stepDuration(config: StepTimeConfig, plan: StepPlan, random: SeededRandom): number {
  const mean =
    config.baseMs +
    config.perPrefillTokenMs * plan.numPrefillTokens +
    config.perDecodeSeqMs * plan.numDecodeSeqs;
  return config.jitter === 0 ? mean : mean * (1 + config.jitter * (2 * random.next() - 1));
}

import type { SpecDecodingStats } from '../../engine-core/scheduler-stats.js';
import type { SpecDecodingConfig } from '../config/extras-config.js';
import type { SeededRandom } from '../random.js';

/** Decides how much of each draft is accepted, and counts it. @see vllm/v1/spec_decode/metrics.py */
export class SpecDecoder {
  readonly #config: SpecDecodingConfig;
  readonly #random: SeededRandom;
  #numDrafts = 0;
  #numDraftTokens = 0;
  #numAcceptedTokens = 0;
  #acceptedPerPos: number[];
  #draftedPerPos: number[];

  constructor(config: SpecDecodingConfig, random: SeededRandom) {
    this.#config = config;
    this.#random = random;
    this.#acceptedPerPos = zeros(config);
    this.#draftedPerPos = zeros(config);
  }

  /** Accepted tokens of a draft of `numDraftTokens`, at most `limit`: nothing follows a request's end. */
  verify(numDraftTokens: number, limit: number): number {
    const { acceptanceRates } = this.#config;
    let accepted = 0;
    while (accepted < numDraftTokens && accepted < limit && this.#random.chance(acceptanceRates[accepted]!))
      accepted++;
    this.#numDrafts++;
    this.#numDraftTokens += numDraftTokens;
    this.#numAcceptedTokens += accepted;
    for (let i = 0; i < numDraftTokens; i++) this.#draftedPerPos[i]!++;
    for (let i = 0; i < accepted; i++) this.#acceptedPerPos[i]!++;
    return accepted;
  }

  /** Since the last call; nothing for a step without drafts, as upstream. */
  take(): SpecDecodingStats | undefined {
    if (this.#numDrafts === 0) return undefined;
    const stats = {
      numSpecTokens: this.#config.numSpecTokens,
      numDrafts: this.#numDrafts,
      numDraftTokens: this.#numDraftTokens,
      numAcceptedTokens: this.#numAcceptedTokens,
      numAcceptedTokensPerPos: this.#acceptedPerPos,
      numDraftTokensPerPos: this.#draftedPerPos,
    };
    this.#numDrafts = this.#numDraftTokens = this.#numAcceptedTokens = 0;
    this.#acceptedPerPos = zeros(this.#config);
    this.#draftedPerPos = zeros(this.#config);
    return stats;
  }
}

function zeros(config: SpecDecodingConfig): number[] {
  return new Array<number>(config.numSpecTokens).fill(0);
}

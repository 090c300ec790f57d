/**
 * How an engine picks tokens, in camelCase of the wire's names without their leading underscores: types only.
 * Stop strings, `n` and detokenisation are the frontend's business and not on this wire.
 * @see vllm/sampling_params.py; rust/src/engine-core-client/src/protocol/sampling.rs
 */
import type { Optional } from './optional.js';

/** When the same pattern of tokens, so often in a row, ends a request. */
export interface RepetitionDetection {
  /** The longest pattern, in tokens. */
  readonly maxPatternSize: number;
  /** The shortest pattern, in tokens. */
  readonly minPatternSize: number;
  /** How often it must occur. */
  readonly minCount: number;
}

/** The parameters of one sequence. Figures are sent as 32-bit floats, as upstream's Rust client does. */
export interface SamplingParams {
  /** 1 by default; 0 is greedy. */
  readonly temperature?: Optional<number>;
  /** 1 by default. */
  readonly topP?: Optional<number>;
  /** 0 by default: all tokens. */
  readonly topK?: Optional<number>;
  readonly seed?: Optional<number | bigint>;
  /** Tokens to generate at most: 16 by default, which is the engine's own default. */
  readonly maxTokens?: Optional<number>;
  /** 0 by default. */
  readonly minTokens?: Optional<number>;
  readonly thinkingTokenBudget?: Optional<number>;
  /** How many log probabilities a token; -1 is all. */
  readonly logprobs?: Optional<number>;
  /** The same for the prompt's tokens. */
  readonly promptLogprobs?: Optional<number>;
  /** 0 by default. */
  readonly minP?: Optional<number>;
  /** 0 by default. */
  readonly frequencyPenalty?: Optional<number>;
  /** 0 by default. */
  readonly presencePenalty?: Optional<number>;
  /** 1 by default. */
  readonly repetitionPenalty?: Optional<number>;
  readonly repetitionDetection?: Optional<RepetitionDetection>;
  readonly stopTokenIds?: Optional<readonly number[]>;
  /** The engine stops at this token; without it, at none. */
  readonly eosTokenId?: Optional<number>;
  /** The stop tokens and the end of sequence, which `minTokens` holds back. */
  readonly allStopTokenIds?: Optional<readonly number[]>;
  /** Token id to bias. */
  readonly logitBias?: Optional<ReadonlyMap<number, number> | Readonly<Record<number, number>>>;
  readonly allowedTokenIds?: Optional<readonly number[]>;
  readonly badWordsTokenIds?: Optional<readonly (readonly number[])[]>;
  /** As the engine's version spells it: its keys are sent as they are. */
  readonly structuredOutputs?: Optional<Readonly<Record<string, unknown>>>;
  readonly logprobTokenIds?: Optional<readonly number[]>;
  readonly skipReadingPrefixCache?: Optional<boolean>;
  /** Its keys are sent as they are. */
  readonly extraArgs?: Optional<Readonly<Record<string, unknown>>>;
}

import { listOf, numberedOf, OPAQUE_MAP } from '../fields/compound-types.js';
import { FLAG, FLOAT_32, INT, INT_64, UINT } from '../fields/scalar-types.js';
import type { Field } from '../fields/struct.js';
import { structType } from '../fields/struct-type.js';

const TOKENS = listOf(UINT);

const REPETITION_DETECTION: readonly Field[] = [
  { name: 'maxPatternSize', key: 'max_pattern_size', type: UINT, fallback: 0 },
  { name: 'minPatternSize', key: 'min_pattern_size', type: UINT, fallback: 0 },
  { name: 'minCount', key: 'min_count', type: UINT, fallback: 0 },
];

/** What a request gets that does not say how many tokens: the engine's own default, written all the same. */
export const DEFAULT_MAX_TOKENS = 16;

/** Sampling parameters in the order, and with the defaults, that upstream's Rust client writes. */
export const SAMPLING_FIELDS: readonly Field[] = [
  { name: 'temperature', key: 'temperature', type: FLOAT_32, fallback: 1 },
  { name: 'topP', key: 'top_p', type: FLOAT_32, fallback: 1 },
  { name: 'topK', key: 'top_k', type: UINT, fallback: 0 },
  { name: 'seed', key: 'seed', type: INT_64, isOptional: true },
  { name: 'maxTokens', key: 'max_tokens', type: UINT, fallback: DEFAULT_MAX_TOKENS },
  { name: 'minTokens', key: 'min_tokens', type: UINT, fallback: 0 },
  { name: 'thinkingTokenBudget', key: 'thinking_token_budget', type: UINT, isOptional: true },
  { name: 'logprobs', key: 'logprobs', type: INT, isOptional: true },
  { name: 'promptLogprobs', key: 'prompt_logprobs', type: INT, isOptional: true },
  { name: 'minP', key: 'min_p', type: FLOAT_32, fallback: 0 },
  { name: 'frequencyPenalty', key: 'frequency_penalty', type: FLOAT_32, fallback: 0 },
  { name: 'presencePenalty', key: 'presence_penalty', type: FLOAT_32, fallback: 0 },
  { name: 'repetitionPenalty', key: 'repetition_penalty', type: FLOAT_32, fallback: 1 },
  {
    name: 'repetitionDetection',
    key: 'repetition_detection',
    type: structType(REPETITION_DETECTION),
    isOptional: true,
  },
  { name: 'stopTokenIds', key: 'stop_token_ids', type: TOKENS, fallback: [] },
  { name: 'eosTokenId', key: '_eos_token_id', type: UINT, isOptional: true },
  { name: 'allStopTokenIds', key: '_all_stop_token_ids', type: TOKENS, fallback: [] },
  { name: 'logitBias', key: 'logit_bias', type: numberedOf(UINT, FLOAT_32), isOptional: true },
  { name: 'allowedTokenIds', key: 'allowed_token_ids', type: TOKENS, isOptional: true },
  { name: 'badWordsTokenIds', key: '_bad_words_token_ids', type: listOf(TOKENS), isOptional: true },
  { name: 'structuredOutputs', key: 'structured_outputs', type: OPAQUE_MAP, isOptional: true },
  { name: 'logprobTokenIds', key: 'logprob_token_ids', type: TOKENS, isOptional: true },
  { name: 'skipReadingPrefixCache', key: 'skip_reading_prefix_cache', type: FLAG, isOptional: true },
  { name: 'extraArgs', key: 'extra_args', type: OPAQUE_MAP, isOptional: true },
];

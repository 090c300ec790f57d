import { listOf, OPAQUE, OPAQUE_LIST, OPAQUE_MAP, recordOf } from '../fields/compound-types.js';
import { FLAG, FLOAT_64, INT, STRING, UINT } from '../fields/scalar-types.js';
import type { Field } from '../fields/struct.js';
import { structType } from '../fields/struct-type.js';
import { LORA } from './lora-type.js';
import { SAMPLING_FIELDS } from './sampling-fields.js';

/** A request's 21 positions; what is absent is sent as upstream's Rust client sends it. */
export const REQUEST_FIELDS: readonly Field[] = [
  { name: 'requestId', key: 'request_id', type: STRING },
  { name: 'promptTokenIds', key: 'prompt_token_ids', type: listOf(UINT) },
  { name: 'mmFeatures', key: 'mm_features', type: OPAQUE_LIST },
  { name: 'samplingParams', key: 'sampling_params', type: structType(SAMPLING_FIELDS) },
  { name: 'poolingParams', key: 'pooling_params', type: OPAQUE },
  { name: 'arrivalTime', key: 'arrival_time', type: FLOAT_64 },
  { name: 'loraRequest', key: 'lora_request', type: LORA },
  { name: 'cacheSalt', key: 'cache_salt', type: STRING },
  { name: 'dataParallelRank', key: 'data_parallel_rank', type: UINT },
  { name: 'promptEmbeds', key: 'prompt_embeds', type: OPAQUE },
  { name: 'promptIsTokenIds', key: 'prompt_is_token_ids', type: listOf(FLAG) },
  { name: 'clientIndex', key: 'client_index', type: UINT, fallback: 0 },
  { name: 'currentWave', key: 'current_wave', type: UINT, fallback: 0 },
  { name: 'priority', key: 'priority', type: INT, fallback: 0 },
  { name: 'traceHeaders', key: 'trace_headers', type: recordOf(STRING) },
  { name: 'resumable', key: 'resumable', type: FLAG, fallback: false },
  { name: 'externalReqId', key: 'external_req_id', type: STRING },
  { name: 'reasoningEnded', key: 'reasoning_ended', type: FLAG },
  { name: 'reasoningParserKwargs', key: 'reasoning_parser_kwargs', type: OPAQUE_MAP },
  { name: 'abortImmediately', key: 'abort_immediately', type: FLAG, fallback: false },
  { name: 'sessionId', key: 'session_id', type: STRING },
];

/** Position of the first field that a request cannot do without, and of the second. */
export const REQUEST_ID_POSITION = 0;
export const PROMPT_POSITION = 1;

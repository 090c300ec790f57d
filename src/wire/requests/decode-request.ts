import type { EngineCoreRequest } from '../../engine-core/engine-core-request.js';
import { readPositions } from '../fields/struct.js';
import { readArray } from '../msgpack/messages.js';
import { WireDecodeError } from '../wire-decode-error.js';
import { PROMPT_POSITION, REQUEST_FIELDS, REQUEST_ID_POSITION } from './request-fields.js';
import { DEFAULT_MAX_TOKENS } from './sampling-fields.js';

/** Python leaves defaults out of the map; this is the one that everybody who serves a request asks for. */
function withMaxTokens(fields: Record<string, unknown>): void {
  const sampling = fields['samplingParams'];
  if (typeof sampling !== 'object' || sampling === null || 'maxTokens' in sampling) return;
  fields['samplingParams'] = { ...sampling, maxTokens: DEFAULT_MAX_TOKENS };
}

/**
 * Reads the payload of an ADD, of any length from two positions on; what it does not know is ignored, an unreadable
 * field absent. A missing `maxTokens` is 16, as engines have it.
 * @throws {WireDecodeError} if it is no such message, or has no readable id or prompt.
 */
export function decodeEngineCoreRequest(bytes: Uint8Array): EngineCoreRequest {
  const { values, offsets } = readArray(bytes);
  const fields = readPositions(REQUEST_FIELDS, values);
  if (fields['requestId'] === undefined)
    throw new WireDecodeError(offsets[REQUEST_ID_POSITION]!, 'request_id');
  if (fields['promptTokenIds'] === undefined)
    throw new WireDecodeError(offsets[PROMPT_POSITION]!, 'prompt_token_ids');
  withMaxTokens(fields);
  return fields as unknown as EngineCoreRequest; // REQUEST_FIELDS names and types its fields
}

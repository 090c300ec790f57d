import type { EngineCoreRequest } from '../../engine-core/engine-core-request.js';
import { refuse } from '../fields/field-type.js';
import { type Fields, writePositions } from '../fields/struct.js';
import { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import { PROMPT_POSITION, REQUEST_FIELDS, REQUEST_ID_POSITION } from './request-fields.js';

const PATH = 'EngineCoreRequest';
const REQUIRED = [REQUEST_FIELDS[REQUEST_ID_POSITION]!, REQUEST_FIELDS[PROMPT_POSITION]!];

/** What a request says, and what is meant where it says nothing. */
function completed(request: EngineCoreRequest): Fields {
  return {
    ...request,
    samplingParams: request.samplingParams === undefined ? {} : request.samplingParams,
    arrivalTime: request.arrivalTime ?? Date.now() / 1000,
  };
}

/**
 * The payload of an ADD: all 21 positions, the same bytes as upstream's Rust client. Checked before it is written,
 * because an engine that cannot decode a request says nothing, and a Python one reads no further request.
 * @throws {TypeError} or {@link RangeError} naming the field.
 * @see rust/src/engine-core-client/src/protocol; vllm/v1/engine/core.py `process_input_sockets`
 */
export function encodeEngineCoreRequest(request: EngineCoreRequest): Uint8Array<ArrayBuffer> {
  if (typeof request !== 'object' || request === null) refuse(PATH, 'an object', request);
  const fields = completed(request);
  for (const { name, type } of REQUIRED) type.check(fields[name], `${PATH}.${name}`);
  const writer = new MsgpackWriter();
  writePositions(writer, REQUEST_FIELDS, fields, PATH);
  return writer.bytes();
}

import type { UtilityOutput } from '../../engine-core/engine-core-outputs.js';
import { ARRAY, FLOAT, INTEGER } from '../msgpack/kind.js';
import { readOpaque } from '../msgpack/opaque-reader.js';
import { skip } from '../msgpack/skip.js';
import type { ValueReader } from './value-reader.js';

const SOURCE = 'utilityOutput';

/** The call's id with all its bits: Python's are beyond 2^53. */
function readCallId(values: ValueReader, depth: number): number | bigint | undefined {
  const { reader } = values;
  const kind = reader.head();
  if (kind === INTEGER) return reader.exactInteger();
  if (kind === FLOAT && Number.isInteger(reader.number)) return reader.number;
  return values.refuse(kind, `${SOURCE}.callId`, 'a whole number', depth);
}

/** `[type information or nil, value]`. */
function readResult(values: ValueReader, depth: number): unknown {
  const { reader } = values;
  const kind = reader.head();
  if (kind !== ARRAY || reader.number < 2)
    return values.refuse(kind, `${SOURCE}.result`, 'type information and a value', depth);
  const length = reader.number;
  skip(reader, depth + 1);
  const result = readOpaque(reader, depth + 1);
  for (let i = 2; i < length; i++) skip(reader, depth + 1);
  return result ?? undefined;
}

/** The answer to a call: `[call id, failure message, result]`. Undefined without a call id. */
export function readUtilityOutput(values: ValueReader, depth: number): UtilityOutput | undefined {
  const { reader } = values;
  const offset = reader.position;
  const length = values.list(SOURCE, depth);
  if (length === undefined) return undefined;
  const callId = length > 0 ? readCallId(values, depth + 1) : undefined;
  const failureMessage = length > 1 ? values.text(`${SOURCE}.failureMessage`, depth + 1) : undefined;
  const result = length > 2 ? readResult(values, depth + 1) : undefined;
  for (let position = 3; position < length; position++) skip(reader, depth + 1);
  if (callId !== undefined) return { callId, failureMessage, result };
  values.report(SOURCE, 'expected a call id, left the answer out', offset);
  return undefined;
}

import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import { refuse } from '../fields/field-type.js';
import type { Fields } from '../fields/struct.js';
import { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import { OUTPUT_POSITIONS, OUTPUTS_POSITIONS, type Position } from './output-positions.js';

/** Options of {@link encodeEngineCoreOutputs}. */
export interface EncodeOutputsOptions {
  /** `'short'` leaves out the defaults at an array's end, as engines did that had fewer fields; `'all'` by default. */
  readonly fields?: 'all' | 'short';
}

function isDefault({ fallback }: Position, value: unknown): boolean {
  if (value === undefined || value === null || Object.is(value, fallback)) return true;
  return Array.isArray(fallback) && Array.isArray(value) && value.length === 0;
}

/** How many positions are written: up to the last that says something, or in full. */
function lengthOf(positions: readonly Position[], fields: Fields, isShort: boolean): number {
  const said = positions.findLastIndex(
    (position) => position.isRequired || !isDefault(position, fields[position.name]),
  );
  const full = positions.filter(({ isNewer }) => !isNewer).length;
  return isShort ? said + 1 : Math.max(said + 1, full);
}

function writeArray(
  writer: MsgpackWriter,
  positions: readonly Position[],
  value: unknown,
  path: string,
  isShort: boolean,
): void {
  if (typeof value !== 'object' || value === null) refuse(path, 'an object', value);
  const fields = value as Fields;
  const length = lengthOf(positions, fields, isShort);
  writer.array(length);
  for (let i = 0; i < length; i++) writePosition(writer, positions[i]!, fields, path, isShort);
}

function writePosition(
  writer: MsgpackWriter,
  { name, fallback, write }: Position,
  fields: Fields,
  path: string,
  isShort: boolean,
): void {
  const value = fields[name] ?? fallback;
  const where = `${path}.${name}`;
  if (value === undefined) writer.nil();
  else if (write !== 'outputs') write(writer, value, where);
  else writeOutputs(writer, value, where, isShort);
}

function writeOutputs(writer: MsgpackWriter, value: unknown, path: string, isShort: boolean): void {
  if (!Array.isArray(value)) refuse(path, 'an array', value);
  writer.array(value.length);
  for (let i = 0; i < value.length; i++)
    writeArray(writer, OUTPUT_POSITIONS, value[i], `${path}[${i}]`, isShort);
}

/**
 * The bytes of one message from an engine. All positions of the trees of August 2026 are written, those of release
 * 0.32.0 only if one of them is there: upstream's Rust client of that time refuses a longer array. Tensors (log
 * probabilities, pooling output, routed experts, sampling masks) are not written.
 * @throws {TypeError} or {@link RangeError} naming the field.
 * @see vllm/v1/serial_utils.py `MsgpackEncoder`
 */
export function encodeEngineCoreOutputs(
  outputs: EngineCoreOutputs,
  options: EncodeOutputsOptions = {},
): Uint8Array<ArrayBuffer> {
  const { fields = 'all' } = options;
  if (fields !== 'all' && fields !== 'short') refuse('fields', "'all' or 'short'", fields);
  const writer = new MsgpackWriter();
  writeArray(writer, OUTPUTS_POSITIONS, outputs, 'EngineCoreOutputs', fields === 'short');
  return writer.bytes();
}

import { listOf, OPAQUE_MAP } from '../fields/compound-types.js';
import { STRING } from '../fields/scalar-types.js';
import { type Field, readKeys, writeKeys } from '../fields/struct.js';
import { structType } from '../fields/struct-type.js';
import { readMap } from '../msgpack/messages.js';
import { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import { WireDecodeError } from '../wire-decode-error.js';

/** Where a frontend listens: its answer to HELLO. A request's `clientIndex` picks the pair of input and output. */
export interface EngineAddresses {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  readonly coordinatorInput?: string;
  readonly coordinatorOutput?: string;
  readonly frontendStatsPublishAddress?: string;
}

/** Upstream's Rust engines want all five keys, nil where there is nothing. */
const ADDRESS_FIELDS: readonly Field[] = [
  { name: 'inputs', key: 'inputs', type: listOf(STRING), fallback: [] },
  { name: 'outputs', key: 'outputs', type: listOf(STRING), fallback: [] },
  { name: 'coordinatorInput', key: 'coordinator_input', type: STRING },
  { name: 'coordinatorOutput', key: 'coordinator_output', type: STRING },
  { name: 'frontendStatsPublishAddress', key: 'frontend_stats_publish_address', type: STRING },
];

const INIT_FIELDS: readonly Field[] = [
  { name: 'addresses', key: 'addresses', type: structType(ADDRESS_FIELDS) },
  { name: 'parallelConfig', key: 'parallel_config', type: OPAQUE_MAP, fallback: {} },
];

/**
 * The INIT message; its overrides of the engine's parallel configuration are none.
 * @throws {TypeError} naming the field.
 */
export function encodeEngineAddresses(addresses: EngineAddresses): Uint8Array<ArrayBuffer> {
  const writer = new MsgpackWriter();
  writeKeys(writer, INIT_FIELDS, { addresses }, 'INIT');
  return writer.bytes();
}

/** @throws {WireDecodeError} if it is no INIT message, or names no pair of input and output. */
export function decodeEngineAddresses(bytes: Uint8Array): EngineAddresses {
  const { addresses } = readKeys(INIT_FIELDS, readMap(bytes)) as { addresses?: Partial<EngineAddresses> };
  const { inputs = [], outputs = [] } = addresses ?? {};
  if (inputs.length === 0 || inputs.length !== outputs.length) throw new WireDecodeError(0, 'addresses');
  return { ...addresses, inputs, outputs };
}

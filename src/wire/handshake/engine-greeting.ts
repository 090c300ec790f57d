import { refuse } from '../fields/field-type.js';
import { FLAG, STRING } from '../fields/scalar-types.js';
import { type Field, readKeys, writeKeys } from '../fields/struct.js';
import { readMap } from '../msgpack/messages.js';
import { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import { WireDecodeError } from '../wire-decode-error.js';

/** What an engine says on the handshake socket: HELLO when it is there, READY when it can serve. */
export interface EngineGreeting {
  readonly status: 'HELLO' | 'READY';
  /** The frontend started it. */
  readonly local?: boolean;
  readonly headless?: boolean;
  /** Python engines compare it under coordinated data parallelism. */
  readonly parallelConfigHash?: string;
}

const PATH = 'EngineGreeting';

const GREETING_FIELDS: readonly Field[] = [
  { name: 'status', key: 'status', type: STRING },
  { name: 'local', key: 'local', type: FLAG, fallback: false },
  { name: 'headless', key: 'headless', type: FLAG, fallback: true },
  { name: 'parallelConfigHash', key: 'parallel_config_hash', type: STRING },
];

function isStatus(status: unknown): status is EngineGreeting['status'] {
  return status === 'HELLO' || status === 'READY';
}

/** @throws {TypeError} naming the field. */
export function encodeEngineGreeting(greeting: EngineGreeting): Uint8Array<ArrayBuffer> {
  if (!isStatus(greeting.status)) refuse(`${PATH}.status`, "'HELLO' or 'READY'", greeting.status);
  const writer = new MsgpackWriter();
  writeKeys(writer, GREETING_FIELDS, { ...greeting }, PATH);
  return writer.bytes();
}

/** @throws {WireDecodeError} if it is no map, or has another status. */
export function decodeEngineGreeting(bytes: Uint8Array): EngineGreeting {
  const fields = readKeys(GREETING_FIELDS, readMap(bytes));
  if (!isStatus(fields['status'])) throw new WireDecodeError(0, 'status');
  return fields as unknown as EngineGreeting; // GREETING_FIELDS types the rest
}

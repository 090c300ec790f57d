import { OPAQUE_LIST } from '../fields/compound-types.js';
import { INT_64, STRING, UINT } from '../fields/scalar-types.js';
import { INTEGER, TEXT } from '../msgpack/kind.js';
import { readArrayHead } from '../msgpack/messages.js';
import { MsgpackReader } from '../msgpack/msgpack-reader.js';
import { MsgpackWriter } from '../msgpack/msgpack-writer.js';
import { readOpaque, readText } from '../msgpack/opaque-reader.js';
import { WireDecodeError } from '../wire-decode-error.js';

/** A call of an engine's method, outside of any request. */
export interface UtilityCall {
  /** Which of the engine's frontends gets the answer; 0 by default. */
  readonly clientIndex?: number;
  /** Comes back with the answer. Python takes 64-bit numbers that only a bigint holds. */
  readonly callId: number | bigint;
  readonly method: string;
  readonly args?: readonly unknown[];
}

const PATH = 'UtilityCall';

/** An id of 64 bits, signed or not. */
function checkCallId(callId: unknown): void {
  const isUnsigned = typeof callId === 'bigint' && BigInt.asUintN(64, callId) === callId;
  if (!isUnsigned) INT_64.check(callId, `${PATH}.callId`);
}

/**
 * The payload of a UTILITY.
 * @throws {TypeError} or {@link RangeError} naming the field.
 */
export function encodeUtilityCall(call: UtilityCall): Uint8Array<ArrayBuffer> {
  const { clientIndex = 0, callId, method, args = [] } = call;
  UINT.check(clientIndex, `${PATH}.clientIndex`);
  checkCallId(callId);
  STRING.check(method, `${PATH}.method`);
  OPAQUE_LIST.check(args, `${PATH}.args`);
  const writer = new MsgpackWriter();
  writer.array(4);
  writer.integer(clientIndex);
  writer.integer(callId);
  writer.text(method);
  OPAQUE_LIST.write(writer, args, `${PATH}.args`);
  return writer.bytes();
}

function readInteger(reader: MsgpackReader): number | bigint | undefined {
  return reader.head() === INTEGER ? reader.exactInteger() : undefined;
}

/**
 * Reads the payload of a UTILITY. `callId` keeps every bit: it is a bigint beyond 2^53. Args of nil are none.
 * @throws {WireDecodeError} if it is no such message, or has no readable call id or method.
 */
export function decodeUtilityCall(bytes: Uint8Array): Required<UtilityCall> {
  const reader = new MsgpackReader(bytes);
  const length = readArrayHead(reader);
  if (length < 3) throw new WireDecodeError(reader.position, 'truncated');
  const clientIndex = readOpaque(reader, 1);
  const at = reader.position;
  const callId = readInteger(reader);
  if (callId === undefined) throw new WireDecodeError(at, 'call_id');
  const methodAt = reader.position;
  if (reader.head() !== TEXT) throw new WireDecodeError(methodAt, 'method');
  const method = readText(reader);
  const rest = Array.from({ length: length - 3 }, () => readOpaque(reader, 1));
  reader.finish();
  const args = Array.isArray(rest[0]) ? rest[0] : [];
  return { clientIndex: typeof clientIndex === 'number' ? clientIndex : 0, callId, method, args };
}

import { listOf } from '../fields/compound-types.js';
import { STRING } from '../fields/scalar-types.js';
import { readArray } from '../msgpack/messages.js';
import { MsgpackWriter } from '../msgpack/msgpack-writer.js';

const IDS = listOf(STRING);

/**
 * The payload of an ABORT. None is allowed and has no effect, which makes it a probe.
 * @throws {TypeError} if they are not strings.
 */
export function encodeAbortIds(requestIds: readonly string[]): Uint8Array<ArrayBuffer> {
  IDS.check(requestIds, 'requestIds');
  const writer = new MsgpackWriter();
  IDS.write(writer, requestIds, 'requestIds');
  return writer.bytes();
}

/**
 * The ids of an ABORT; an element that is not a string is left out, as an id that nobody has.
 * @throws {WireDecodeError} if it is no array.
 */
export function decodeAbortIds(bytes: Uint8Array): readonly string[] {
  return readArray(bytes).values.filter((id) => typeof id === 'string');
}

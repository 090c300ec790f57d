/** How an engine names itself on the handshake and input sockets: its index as two bytes, the low one first. */

const MOST_ENGINES = 65_536;

/** @throws {RangeError} if the index does not fit two bytes. */
export function encodeEngineIdentity(engineIndex: number): Uint8Array<ArrayBuffer> {
  if (!Number.isInteger(engineIndex) || engineIndex < 0 || engineIndex >= MOST_ENGINES)
    throw new RangeError(
      `engineIndex: expected a whole number from 0 to ${MOST_ENGINES - 1}, got ${engineIndex}`,
    );
  return Uint8Array.of(engineIndex & 0xff, engineIndex >> 8);
}

/** The engine's index; undefined for an identity that is not two bytes long. */
export function decodeEngineIdentity(identity: Uint8Array): number | undefined {
  return identity.length === 2 ? identity[0]! | (identity[1]! << 8) : undefined;
}

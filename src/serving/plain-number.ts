/** A bigint as the nearest number, anything else as it is: msgpack decoders give bigints for 64-bit fields. */
export function plainNumber(value: unknown): unknown {
  return typeof value === 'bigint' ? Number(value) : value;
}

/** What is wrong with bytes that cannot be read at all. */
export type WireDecodeReason =
  | 'truncated'
  | 'length beyond the bytes'
  | 'trailing bytes'
  | 'reserved byte 0xc1'
  | 'nested deeper than 512'
  | 'not an array'
  | 'not a map'
  | 'engine_index'
  | 'request_id'
  | 'prompt_token_ids'
  | 'status'
  | 'addresses'
  | 'call_id'
  | 'method';

/** Bytes that cannot be read as the message they should be; nothing of them was used. */
export class WireDecodeError extends Error {
  override readonly name = 'WireDecodeError';
  /** Where in the message's first frame, in bytes. */
  readonly offset: number;
  /** What was wrong there: a rule of msgpack, or the field that the message cannot do without. */
  readonly reason: WireDecodeReason;

  constructor(offset: number, reason: WireDecodeReason) {
    super(`message: expected vLLM's msgpack, got ${reason} at byte ${offset}`);
    this.offset = offset;
    this.reason = reason;
  }
}

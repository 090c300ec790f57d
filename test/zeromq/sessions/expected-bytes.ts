/** The recorded bytes with what differs on purpose replaced, by another encoder than ours. */
import { decode, encode } from '@msgpack/msgpack';
import { hex } from '../../wire/sessions.js';

/** Where a frontend listens, in an INIT or in a test's hands. */
export interface Addresses {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
}

/** A message of maps with some values replaced. @throws {Error} if the other encoder does not give the rest back. */
function rewritten(recorded: Uint8Array, change: (message: Record<string, unknown>) => void): Uint8Array {
  const message = decode(recorded) as Record<string, unknown>;
  if (hex(encode(message)) !== hex(recorded)) throw new Error(`expected to write ${hex(recorded)} again`);
  change(message);
  return encode(message);
}

export function addressesOf(init: Uint8Array): Addresses {
  const { addresses } = decode(init) as { readonly addresses: Addresses };
  return addresses;
}

/** An INIT with other addresses. */
export function withAddresses(init: Uint8Array, { inputs, outputs }: Addresses): Uint8Array {
  return rewritten(init, (message) => {
    message['addresses'] = { ...(message['addresses'] as object), inputs, outputs };
  });
}

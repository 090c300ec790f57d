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

/** A ready response that says other things in fields that it has. */
export function withFields(ready: Uint8Array, fields: Readonly<Record<string, unknown>>): Uint8Array {
  return rewritten(ready, (message) => {
    for (const [key, value] of Object.entries(fields)) {
      if (!(key in message)) throw new Error(`expected ${key} in the ready response`);
      message[key] = value;
    }
  });
}

const FLOAT_64 = 0xcb;

/** Outputs of another time, which is the first float in an answer to a call. */
export function withTimestamp(answer: Uint8Array, seconds: number): Uint8Array {
  const bytes = Buffer.from(answer);
  bytes.writeDoubleBE(seconds, bytes.indexOf(FLOAT_64) + 1);
  return bytes;
}

const STATS_POSITION = 2;

type Stats = Readonly<Record<string, unknown>>;

/** Outputs with the statistics written as in `whole`: all its keys in its order, with its values where there was none. */
export function withAllStats(outputs: Uint8Array, whole: Uint8Array): Uint8Array {
  const [stats, defaults] = [outputs, whole].map(
    (message) => (decode(message) as readonly Stats[])[STATS_POSITION],
  );
  if (!stats) return outputs;
  const [before, after, ...others] = hex(outputs).split(hex(encode(stats)));
  if (after === undefined || others.length > 0) throw new Error(`expected statistics in ${hex(outputs)}`);
  return Buffer.from(before + hex(encode({ ...defaults, ...stats })) + after, 'hex');
}

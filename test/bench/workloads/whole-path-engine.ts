/**
 * An engine core in a process of its own that sends faster than anybody reads. Arguments: the addresses of the
 * handshake and of the socket that just reads. Obeys the orders of `whole-path-workload.ts`.
 */
import { Push } from 'zeromq';
import { RawEngine } from '../../zeromq/raw-engine.js';
import { encodedStep, type Order, STEPS_A_ROUND } from './whole-path-workload.js';

const [handshake, bareAddress] = process.argv.slice(2);
const { output } = await RawEngine.connect(0, handshake!);
const bare = new Push({ linger: 0, sendHighWaterMark: 0 });
bare.connect(bareAddress!);

let made = 0;
let prepared: readonly Uint8Array[] = [];

async function sendAll(socket: Push, messages: readonly Uint8Array[]): Promise<void> {
  for (const message of messages) await socket.send(message);
}

const obey: Readonly<Record<Order, () => unknown>> = {
  prepare: () => {
    prepared = Array.from({ length: STEPS_A_ROUND }, () => encodedStep(made++));
    process.send!('prepared');
  },
  bare: () => sendAll(bare, prepared),
  client: () => sendAll(output, prepared),
  end: () => output.send(encodedStep(made++, 'length')),
};
process.on('message', (order: Order) => void obey[order]());

import { Dealer, Push } from 'zeromq';
import type { EngineReady } from '../../engine-core/engine-ready.js';
import { decodeEngineAddresses } from '../../wire/handshake/engine-addresses.js';
import { encodeEngineGreeting } from '../../wire/handshake/engine-greeting.js';
import { encodeEngineIdentity } from '../../wire/handshake/engine-identity.js';
import { encodeEngineReady } from '../../wire/handshake/engine-ready.js';
import type { EventLoopSlices } from '../sockets/event-loop-slices.js';
import { Receiver } from '../sockets/receiver.js';
import { SendQueue } from '../sockets/send-queue.js';

/** As upstream's: what an engine sent last gets so long to leave. */
const HANDSHAKE_LINGER_MS = 5_000;
const OUTPUT_LINGER_MS = 4_000;

/** A socket with an engine's identity. */
function dealerOf(engineIndex: number): Dealer {
  const socket = new Dealer({ sendHighWaterMark: 0, receiveHighWaterMark: 0, linger: 0 });
  // The types say text, but the native setter takes bytes; as text an identity above 0x7f would become UTF-8.
  socket.routingId = Buffer.from(encodeEngineIdentity(engineIndex)) as unknown as string;
  return socket;
}

/** An engine's side of the protocol, from HELLO on. */
export class EngineSockets {
  readonly #input: Dealer;
  readonly #output: Push;
  readonly #queue: SendQueue;

  private constructor(input: Dealer, output: Push) {
    this.#input = input;
    this.#output = output;
    this.#queue = new SendQueue(output);
  }

  /** Says HELLO, connects to where it is told, and says that it is ready. Rejects if `signal` aborts before. */
  static async connect(
    engineIndex: number,
    handshake: string,
    ready: EngineReady,
    signal: AbortSignal,
  ): Promise<EngineSockets> {
    const greeter = dealerOf(engineIndex);
    greeter.linger = HANDSHAKE_LINGER_MS;
    const close = () => greeter.close();
    signal.addEventListener('abort', close);
    try {
      signal.throwIfAborted();
      greeter.connect(handshake);
      await greeter.send(encodeEngineGreeting({ status: 'HELLO' }));
      const [init] = await greeter.receive();
      const { inputs, outputs } = decodeEngineAddresses(init!); // a message has at least one frame
      const input = dealerOf(engineIndex);
      input.connect(inputs[0]!);
      await input.send(encodeEngineReady(ready));
      const output = new Push({ sendHighWaterMark: 0, linger: 0 });
      output.connect(outputs[0]!);
      await greeter.send(encodeEngineGreeting({ status: 'READY' }));
      return new EngineSockets(input, output);
    } finally {
      signal.removeEventListener('abort', close);
      greeter.close();
    }
  }

  /** Calls `onMessage` with the type of each request and its payload. */
  receive(slices: EventLoopSlices, onMessage: (type: number, payload: Uint8Array) => void): void {
    new Receiver(this.#input, slices, ([type, payload]) => {
      if (type?.length === 1 && payload !== undefined) onMessage(type[0]!, payload);
    });
  }

  send(message: Uint8Array): void {
    this.#queue.send([message]).catch(() => {}); // closed
  }

  /** Nothing that has not left leaves. */
  cut(): void {
    this.#input.close();
    this.#output.close();
  }

  /** What was sent leaves first. */
  async close(): Promise<void> {
    await this.#queue.flushed();
    this.#output.linger = OUTPUT_LINGER_MS;
    this.cut();
  }
}

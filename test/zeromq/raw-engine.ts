/** An engine that says only what the test makes it say. */
import { Dealer, Push } from 'zeromq';
import { decodeEngineAddresses } from '../../src/wire/handshake/engine-addresses.js';
import { encodeEngineGreeting } from '../../src/wire/handshake/engine-greeting.js';
import { encodeEngineReady } from '../../src/wire/handshake/engine-ready.js';

export class RawEngine {
  readonly input: Dealer;
  readonly output: Push;
  /** What the frontend sent, the type before the payload. */
  readonly received: Uint8Array[][] = [];

  private constructor(input: Dealer, output: Push) {
    this.input = input;
    this.output = output;
    void this.#read();
  }

  static async connect(engineIndex: number, handshake: string): Promise<RawEngine> {
    const identity = String.fromCharCode(engineIndex, 0);
    const greeter = new Dealer({ routingId: identity, linger: 500 });
    greeter.connect(handshake);
    await greeter.send(encodeEngineGreeting({ status: 'HELLO' }));
    const [init] = await greeter.receive();
    const { inputs, outputs } = decodeEngineAddresses(init!);
    const input = new Dealer({ routingId: identity, linger: 0, receiveHighWaterMark: 0 });
    input.connect(inputs[0]!);
    await input.send(encodeEngineReady({}));
    const output = new Push({ linger: 0, sendHighWaterMark: 0 });
    output.connect(outputs[0]!);
    await greeter.send(encodeEngineGreeting({ status: 'READY' }));
    greeter.close();
    return new RawEngine(input, output);
  }

  async close(): Promise<void> {
    this.input.close();
    this.output.close();
  }

  async #read(): Promise<void> {
    try {
      for (;;) this.received.push(await this.input.receive());
    } catch {
      // closed
    }
  }
}

/** The engine side of a conversation: says what was recorded, on real sockets, and keeps what it hears. */
import { Dealer, Push } from 'zeromq';
import type { Step } from './conversation.js';
import { addressesOf } from './expected-bytes.js';
import { framesIn, Received } from './received.js';

/** The frontend may not listen yet. */
const RECONNECT_MS = 5;

/** What was said last gets so long to leave. */
const LINGER_MS = 500;

interface EngineEnd {
  readonly handshake: Dealer;
  /** Both once it knows where. */
  input?: Dealer;
  output?: Push;
}

export class RecordedEngines {
  readonly received: Received = new Received();
  readonly #handshake: string;
  readonly #ends = new Map<number, EngineEnd>();

  constructor(handshake: string) {
    this.#handshake = handshake;
  }

  async say(step: Step): Promise<void> {
    const { socket, engineIndex, identity, frames } = step;
    const end = this.#ends.get(engineIndex) ?? this.#start(engineIndex, identity!); // an engine begins with HELLO
    if (socket === 'input') this.#connect(step, end);
    const sender = { handshake: end.handshake, input: end.input, output: end.output }[socket];
    await sender!.send([...frames]); // the ready response comes before any output
  }

  async close(): Promise<void> {
    for (const { handshake, input, output } of this.#ends.values())
      for (const socket of [handshake, input, output]) socket?.close();
  }

  #start(engineIndex: number, identity: Uint8Array): EngineEnd {
    const handshake = this.#dealer(`handshake ${engineIndex}`, identity);
    handshake.connect(this.#handshake);
    const end: EngineEnd = { handshake };
    this.#ends.set(engineIndex, end);
    return end;
  }

  /** To where its INIT says. */
  #connect({ engineIndex, identity, place }: Step, end: EngineEnd): void {
    const [init] = this.received.at(`handshake ${engineIndex}`).map(framesIn);
    const { inputs, outputs } = addressesOf(init![0]!);
    end.input = this.#dealer(place, identity!);
    end.input.connect(inputs[0]!);
    end.output = new Push({ linger: LINGER_MS });
    end.output.connect(outputs[0]!);
  }

  #dealer(place: string, identity: Uint8Array): Dealer {
    const routingId = Buffer.from(identity).toString('latin1');
    const socket = new Dealer({ routingId, linger: LINGER_MS, reconnectInterval: RECONNECT_MS });
    void this.received.read(socket, (frames) => [place, frames]);
    return socket;
  }
}

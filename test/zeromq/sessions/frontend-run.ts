/** Our frontend in a recorded conversation: it is asked for what the recorded one was asked for. */
import type { EngineCoreOutputs, EngineCoreStreamOutput } from '../../../src/index.js';
import { connectEngines, type EngineCoreClient, type SocketDiagnostic } from '../../../src/zeromq/index.js';
import { freePort } from '../../support/free-port.js';
import { hex } from '../../wire/sessions.js';
import { eventually, keep } from '../rig.js';
import { type Conversation, requestOf, type Sent, type Step } from './conversation.js';
import { RecordedEngines } from './recorded-engines.js';
import type { Delivered } from './recorded-outputs.js';

/** A call that nobody answers: when an engine has it, it has all that was sent before. */
const FENCE = 'fence';
const FENCE_IN_HEX = hex(Buffer.from(FENCE));

/** Less than a test may take: an engine that is missing says more than a test that is late. */
const READY_MS = 4_000;

/** The recorded engines against `connectEngines`, and what came of it. */
export class FrontendRun {
  readonly batches: EngineCoreOutputs[] = [];
  readonly streams: Delivered[] = [];
  readonly answers: unknown[] = [];
  readonly diagnostics: SocketDiagnostic[] = [];
  readonly #engines: RecordedEngines;
  readonly #client: Promise<EngineCoreClient>;
  /** How many messages the client was heard to act on: those that it skipped aside. */
  #heard = 0;
  #isLost = false;

  private constructor({ engines }: Conversation, handshake: string, output: string | undefined) {
    this.#engines = keep(new RecordedEngines(handshake));
    const onDiagnostic = (diagnostic: SocketDiagnostic) => this.diagnostics.push(diagnostic);
    const options = { handshake, engines, output, onDiagnostic, readyTimeoutMs: READY_MS };
    this.#client = connectEngines(options).then((client) => this.#watch(keep(client)));
    this.#client.catch(() => {}); // whoever waits for it is told
  }

  /** Plays all of it. `sharedOutput`: one output address for all engines, instead of one for each. */
  static async play(recorded: Conversation, sharedOutput: boolean): Promise<FrontendRun> {
    const address = async () => `tcp://127.0.0.1:${await freePort()}`;
    const run = new FrontendRun(recorded, await address(), sharedOutput ? await address() : undefined);
    for (const [index, step] of recorded.steps.entries()) {
      const before = recorded.steps.slice(0, index);
      if (step.speaker === 'engine') await run.#engines.say(step);
      else await run.#frontendSays(step, before);
    }
    await run.#hears(recorded.steps);
    return run;
  }

  /** What an engine has got at a place, once it has all of it: `atLeast` messages, for one that is sent no fence. */
  async sent(place: string, atLeast: number): Promise<readonly string[]> {
    const { received } = this.#engines;
    await received.count(place, atLeast);
    if (place.startsWith('handshake') || this.#isLost) return received.at(place);
    const client = await this.#client;
    client.utility(FENCE).catch(() => {}); // ends with the client
    const fences = () => received.at(place).filter((message) => message.includes(FENCE_IN_HEX));
    await received.until(`${place}: expected the fence`, () => fences().length > 0);
    return received.at(place).filter((message) => !message.includes(FENCE_IN_HEX));
  }

  async #frontendSays({ socket, place, decoded }: Step, before: readonly Step[]): Promise<void> {
    if (socket === 'input') {
      await this.#hears(before);
      this.#ask(await this.#client, decoded as Sent);
    }
    const earlier = before.filter((step) => step.speaker === 'frontend' && step.place === place);
    await this.#engines.received.count(place, earlier.length + 1);
  }

  /** Resolves once the client has acted on every output that engines sent. */
  async #hears(steps: readonly Step[]): Promise<void> {
    const client = await this.#client;
    const outputs = steps.filter(({ socket }) => socket === 'output').length;
    await eventually(() => this.#heard + client.skippedMessages >= outputs);
  }

  #ask(client: EngineCoreClient, sent: Sent): void {
    if (sent.type === 'ADD') this.#generate(client, sent.payload);
    else if (sent.type === 'UTILITY') {
      const [, , method, args] = sent.payload;
      const answered = (answer: unknown) => {
        this.answers.push(answer);
        this.#heard++;
      };
      client.utility(method, args).then(answered, answered);
    }
  }

  #generate(client: EngineCoreClient, payload: readonly unknown[]): void {
    const request = requestOf(payload);
    const stream = client.generate(request);
    const outputs: EngineCoreStreamOutput[] = [];
    const delivered = {
      requestId: request.requestId,
      engineIndex: stream.engineIndex,
      outputs,
      end: 'open' as unknown,
    };
    this.streams.push(delivered);
    const endWith = (how: unknown) => {
      delivered.end = how;
    };
    stream.subscribe({
      next: (output) => outputs.push(output),
      error: endWith,
      complete: () => endWith('complete'),
    });
  }

  #watch(client: EngineCoreClient): EngineCoreClient {
    client.batches$.subscribe((batch) => {
      this.batches.push(batch);
      this.#heard++;
    });
    client.status$.subscribe(({ state }) => {
      if (state !== 'lost') return;
      this.#isLost = true;
      this.#heard++;
    });
    return client;
  }
}

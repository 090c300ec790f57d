/** Our engines in a recorded conversation: they are told what the recorded ones were told. */
import { encode } from '@msgpack/msgpack';
import {
  type EngineServer,
  type EngineSource,
  type ServeEnginesOptions,
  type SocketDiagnostic,
  serveEngines,
} from '../../../src/zeromq/index.js';
import { keep } from '../rig.js';
import { type Conversation, type Step, said } from './conversation.js';
import { answerIn } from './raw-outputs.js';
import { RecordedFrontend } from './recorded-frontend.js';

/** The id of a call that no recorded frontend made: with its answer, an engine has said all that came before. */
const FENCE_ID = 1_000;
const UTILITY = Uint8Array.of(3);

function isFence(text: string): boolean {
  const [callId = 0] = answerIn(text) ?? [];
  return callId === FENCE_ID;
}

/** `serveEngines` against the recorded frontend, and what came of it. */
export class EngineRun {
  readonly diagnostics: SocketDiagnostic[] = [];
  readonly server: Promise<EngineServer>;
  readonly #recorded: Conversation;
  readonly #frontend: RecordedFrontend;

  private constructor(
    recorded: Conversation,
    frontend: RecordedFrontend,
    source: EngineSource,
    fields: ServeEnginesOptions['fields'],
  ) {
    this.#recorded = recorded;
    this.#frontend = keep(frontend);
    const onDiagnostic = (diagnostic: SocketDiagnostic) => this.diagnostics.push(diagnostic);
    const options = { handshake: frontend.address, engines: recorded.engines, fields, onDiagnostic };
    this.server = serveEngines(source, options).then(keep);
    this.server.catch(() => {}); // whoever waits for it is told
  }

  /** Plays all of it. Engines greet by themselves; `onOutput` is called where a recorded one sent something else. */
  static async play(
    recorded: Conversation,
    source: EngineSource,
    fields: ServeEnginesOptions['fields'],
    onOutput: (step: Step, server: EngineServer) => Promise<void>,
  ): Promise<EngineRun> {
    const run = new EngineRun(recorded, await RecordedFrontend.bind(), source, fields);
    const heard = new Map<string, number>();
    for (const step of recorded.steps) {
      if (step.socket === 'output') await onOutput(step, await run.server);
      else if (step.speaker === 'frontend') await run.#frontendSays(step);
      else {
        heard.set(step.place, (heard.get(step.place) ?? 0) + 1);
        await run.#frontend.received.count(step.place, heard.get(step.place)!);
      }
    }
    return run;
  }

  /** What came of the engines at a place, so far. */
  at(place: string): readonly string[] {
    return this.#frontend.received.at(place).filter((text) => !isFence(text));
  }

  /** Resolves once it holds, which is asked after each message. */
  until(what: string, holds: () => boolean): Promise<void> {
    return this.#frontend.received.until(what, holds);
  }

  /** Resolves once each engine has said all that it had to say. To be called once. */
  async fence(): Promise<void> {
    const { received } = this.#frontend;
    for (const { identity } of said(this.#recorded, 'frontend', 'handshake')) {
      const call = encode([0, FENCE_ID, 'fence', []]);
      await this.#frontend.say({ socket: 'input', identity, frames: [UTILITY, call] });
    }
    const answers = () => received.at('output').filter(isFence).length;
    await received.until('expected an answer of each engine', () => answers() === this.#recorded.engines);
  }

  async #frontendSays(step: Step): Promise<void> {
    if (step.socket === 'input') await this.server; // the recorded one waits for its engines, too
    await this.#frontend.say(step);
  }
}

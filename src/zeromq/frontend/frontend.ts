import { of } from 'rxjs';
import type { ConnectSettings } from '../connect-options.js';
import { EngineLostError } from '../engine-lost-error.js';
import { safely } from '../socket-diagnostic.js';
import { EventLoopSlices } from '../sockets/event-loop-slices.js';
import type { EngineLink } from './engine-link.js';
import { EnginePool } from './engine-pool.js';
import { type Addresses, HandshakeSocket } from './handshake-socket.js';
import { InputSocket } from './input-socket.js';
import { Liveness } from './liveness.js';
import { OpenStreams } from './open-streams.js';
import { OutputIntake } from './output-intake.js';
import { OutputSocket } from './output-socket.js';
import { Registration } from './registration.js';
import { UtilityCalls } from './utility-calls.js';

const CLOSED = 'its connection closed';
const DEAD = 'ENGINE_CORE_DEAD';

/** A frontend's sockets and what passes between them: start-up, loss and return of engines. */
export class Frontend {
  readonly pool: EnginePool;
  readonly streams: OpenStreams;
  readonly utilities: UtilityCalls;
  readonly intake: OutputIntake;
  readonly #settings: ConnectSettings;
  readonly #slices = new EventLoopSlices();
  readonly #liveness: Liveness;
  readonly #registration: Registration;
  #handshake: HandshakeSocket | undefined;
  #input: InputSocket | undefined;
  /** Where all engines share one address for outputs. */
  #output: OutputSocket | undefined;
  #closed: Promise<void> | undefined;

  private constructor(settings: ConnectSettings) {
    this.#settings = settings;
    this.pool = new EnginePool(settings.engines);
    this.streams = new OpenStreams({
      add: (link, request) => this.#send(link, (input) => input.add(link.identity, request)),
      abort: (link, id) => this.#send(link, (input) => input.abort(link.identity, [id])),
    });
    this.utilities = new UtilityCalls((link, call) =>
      this.#send(link, (input) => input.utility(link.identity, call)),
    );
    this.intake = new OutputIntake(this.pool, this.streams.router, this.utilities, settings.onDiagnostic);
    this.#registration = new Registration(this.pool, {
      lose: (link, reason) => this.#lose(link, reason),
      addressesFor: (link) => this.#addressesFor(link),
      report: safely(settings.onDiagnostic),
    });
    this.#liveness = new Liveness(this.pool, this.utilities, {
      probe: (link) => this.#send(link, (input) => input.abort(link.identity, [])),
      leave: (link, reason) => void this.#leave(link, reason),
    });
  }

  /** Binds everything, the handshake last: engines connect to the rest at once. @throws {Error} */
  static async bind(settings: ConnectSettings): Promise<Frontend> {
    const frontend = new Frontend(settings);
    try {
      await frontend.#bind();
    } catch (error) {
      await frontend.close();
      throw error;
    }
    return frontend;
  }

  get isClosed(): boolean {
    return this.#closed !== undefined;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #bind(): Promise<void> {
    const { input, output, handshake, heartbeatMs, host, maxMessageBytes } = this.#settings;
    this.#input = await InputSocket.bind({ endpoint: input, host, maxMessageBytes }, this.#slices, {
      onMessage: (frames) => this.#registration.readyResponse(frames),
      onClosed: () => void this.#liveness.probeAll(),
    });
    if (output !== undefined) this.#output = await this.#bindOutput(undefined);
    this.#handshake = await HandshakeSocket.bind(handshake, this.#slices, {
      onHello: async (engineIndex) => (this.isClosed ? undefined : this.#registration.hello(engineIndex)),
      onReady: (engineIndex) => this.#registration.ready(engineIndex),
      onBad: (message, engineIndex) => this.#registration.bad('handshake', message, engineIndex),
    });
    if (heartbeatMs !== undefined) this.#liveness.beat(heartbeatMs);
  }

  /** The socket of one engine's life, or of all engines. */
  #bindOutput(link: EngineLink | undefined): Promise<OutputSocket> {
    const { output, host, maxMessageBytes } = this.#settings;
    const life = link?.life;
    const gone = (reason: string) => {
      if (link === undefined) this.#someoneIsGone(reason);
      else if (link.life === life) void this.#leave(link, reason);
    };
    return OutputSocket.bind({ endpoint: output, host, maxMessageBytes }, this.#slices, {
      onMessage: (frames) => this.intake.take(frames),
      onDeath: () => gone(DEAD),
      onClosed: () => gone(CLOSED),
    });
  }

  async #addressesFor(link: EngineLink): Promise<Addresses> {
    if (this.#output === undefined) {
      await link.output?.close();
      link.output = await this.#bindOutput(link);
    }
    return { input: this.#input!.address, output: (link.output ?? this.#output)!.address };
  }

  /** Sends to an engine; one that cannot be reached is lost. */
  async #send(link: EngineLink, send: (input: InputSocket) => Promise<void>): Promise<void> {
    const { life } = link;
    try {
      await send(this.#input!); // there are no streams or calls before it is bound
    } catch (error) {
      if (link.life === life) void this.#leave(link, CLOSED);
      throw error;
    }
  }

  #someoneIsGone(reason: string): void {
    const [first, ...others] = this.pool.links;
    // The only engine that serves may be another one: who went first is found by its input connection, too.
    if (others.length === 0) void this.#leave(first!, reason);
    else this.#liveness.askAll(reason);
  }

  /** What the engine sent before it went is still delivered. */
  async #leave(link: EngineLink, reason: string): Promise<void> {
    if (link.state === 'greeted') {
      link.state = 'awaited';
      link.reason = reason;
    }
    if (link.state !== 'ready' || this.isClosed) return;
    link.state = 'leaving';
    await (link.output ?? this.#output)?.settled();
    if (link.state === 'leaving' && !this.isClosed) this.#lose(link, reason);
  }

  #lose(link: EngineLink, reason: string): void {
    const { engineIndex, identity } = link;
    link.state = 'lost';
    link.reason = reason;
    const lost = new EngineLostError(engineIndex, reason);
    const ids = this.streams.sentTo(link);
    if (ids.length > 0) this.#input?.abort(identity, ids).catch(() => {}); // it may still listen
    void link.output?.close();
    link.output = undefined;
    of(link).subscribe(() => this.streams.failEngine(link, lost)); // rxjs knows where to throw what a teardown throws
    this.utilities.fail(lost, engineIndex);
    this.pool.changes.next({ engineIndex, state: 'lost', reason });
  }

  async #close(): Promise<void> {
    this.#liveness.stop();
    for (const link of this.pool.serving) {
      const ids = this.streams.sentTo(link);
      if (ids.length > 0) this.#input?.abort(link.identity, ids).catch(() => {});
    }
    this.intake.complete();
    this.utilities.fail(new Error('utility: expected a client that is open, got one that is closed'));
    this.pool.changes.complete();
    const outputs = [this.#output, ...this.pool.links.map(({ output }) => output)];
    await Promise.all([this.#handshake, this.#input, ...outputs].map((socket) => socket?.close()));
  }
}

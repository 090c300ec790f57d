import { setTimeout } from 'node:timers/promises';
import type { EngineLink } from './engine-link.js';
import type { EnginePool } from './engine-pool.js';
import type { UtilityCalls } from './utility-calls.js';

/** How long an engine has to show that it was not the one that died. */
const DEATH_ANSWER_MS = 2_000;

/** Milliseconds after a closed connection: libzmq forgets an identity some time after it says so. */
const PROBE_AFTER_MS = [0, 20, 100, 500];

/** Has no effect on an engine, and every engine answers it. */
const HARMLESS_CALL = 'is_sleeping';

/** How often silence is looked for, as a part of what is allowed. */
const CHECKS_A_HEARTBEAT = 4;

/** What liveness needs of a frontend. */
export interface LivenessHost {
  /** Rejects if the engine is not connected. */
  probe(link: EngineLink): Promise<void>;
  leave(link: EngineLink, reason: string): void;
}

/** Finds engines that are gone: nothing on the data plane says so. */
export class Liveness {
  readonly #pool: EnginePool;
  readonly #utilities: UtilityCalls;
  readonly #host: LivenessHost;
  #heartbeat: NodeJS.Timeout | undefined;
  #closings = 0;
  #isStopped = false;

  constructor(pool: EnginePool, utilities: UtilityCalls, host: LivenessHost) {
    this.#pool = pool;
    this.#utilities = utilities;
    this.#host = host;
  }

  stop(): void {
    this.#isStopped = true;
    clearInterval(this.#heartbeat);
  }

  /** A connection closed, no telling whose: who cannot be sent an empty ABORT is lost. */
  async probeAll(): Promise<void> {
    const closing = ++this.#closings;
    for (const ms of PROBE_AFTER_MS) {
      if (ms > 0) await setTimeout(ms, undefined, { ref: false });
      if (this.#isStopped || closing !== this.#closings) return; // a later call begins anew
      for (const link of this.#pool.serving) {
        this.#host.probe(link).catch(() => this.#host.leave(link, 'its connection closed'));
      }
    }
  }

  /** One of the engines is gone, no telling which: who does not answer is lost. */
  askAll(reason: string): void {
    for (const link of this.#pool.serving) void this.#ask(link, reason);
  }

  /** Loses engines that are silent for `ms`, and do not answer in as long again. */
  beat(ms: number): void {
    const every = ms / CHECKS_A_HEARTBEAT;
    let last = performance.now();
    this.#heartbeat = setInterval(() => {
      const now = performance.now();
      // After a pause of this process messages may wait unread: what looks like silence may be ours.
      if (now - last < 2 * every) for (const link of this.#pool.serving) this.#listen(link, now, ms);
      last = now;
    }, every);
    this.#heartbeat.unref();
  }

  async #ask(link: EngineLink, reason: string): Promise<void> {
    const { life } = link;
    const answer = this.#utilities.call(link, HARMLESS_CALL, []).then(
      () => true,
      () => true, // one that failed has answered, one that is lost is lost
    );
    const silence = setTimeout(DEATH_ANSWER_MS, false, { ref: false });
    const hasAnswered = await Promise.race([answer, silence]);
    if (!hasAnswered && link.life === life && !this.#isStopped) this.#host.leave(link, reason);
  }

  #listen(link: EngineLink, now: number, ms: number): void {
    if (now - link.heardAt < ms) link.askedAt = undefined;
    else if (link.askedAt === undefined) {
      link.askedAt = now;
      this.#utilities.call(link, HARMLESS_CALL, []).catch(() => {});
    } else if (now - link.askedAt >= ms)
      this.#host.leave(link, `silent for ${ms} ms, and for as long when asked`);
  }
}

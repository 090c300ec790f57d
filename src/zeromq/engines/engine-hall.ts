import { EventLoopSlices } from '../sockets/event-loop-slices.js';
import { EngineSockets } from './engine-sockets.js';
import type { EngineSource } from './engine-source.js';
import { type EngineHabits, ServedEngine } from './served-engine.js';

/** All engines of one server, by index. */
export class EngineHall {
  readonly #source: EngineSource;
  readonly #handshake: string;
  readonly #indexes: readonly number[];
  readonly #habits: EngineHabits;
  readonly #slices = new EventLoopSlices();
  readonly #running = new Map<number, ServedEngine>();
  readonly #starting = new Set<number>();
  readonly #closing = new AbortController();

  constructor(source: EngineSource, handshake: string, indexes: readonly number[], habits: EngineHabits) {
    this.#source = source;
    this.#handshake = handshake;
    this.#indexes = indexes;
    this.#habits = habits;
  }

  async start(engineIndex: number): Promise<void> {
    this.#assertKnown(engineIndex);
    if (this.#running.has(engineIndex) || this.#starting.has(engineIndex))
      throw new RangeError(`engineIndex: expected an engine that is stopped, got ${engineIndex}`);
    this.#starting.add(engineIndex);
    const ready = { dataParallelRank: engineIndex, dataParallelSize: this.#indexes.length };
    try {
      const { signal } = this.#closing;
      const sockets = await EngineSockets.connect(engineIndex, this.#handshake, ready, signal);
      const engine = new ServedEngine(engineIndex, sockets, this.#source, this.#habits, this.#slices);
      this.#running.set(engineIndex, engine);
      if (signal.aborted) await this.close();
    } catch (error) {
      this.#closing.signal.throwIfAborted(); // says more than a socket that was closed under its reader
      throw error;
    } finally {
      this.#starting.delete(engineIndex);
    }
  }

  kill(engineIndex: number): void {
    this.#taken(engineIndex)?.kill();
  }

  async die(engineIndex: number): Promise<void> {
    await this.#taken(engineIndex)?.die();
  }

  sendRaw(engineIndex: number, bytes: Uint8Array): void {
    this.#assertKnown(engineIndex);
    this.#running.get(engineIndex)?.sendRaw(bytes);
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('serveEngines: expected to serve, got closed'));
    await Promise.all(this.#indexes.map((index) => this.#taken(index)?.close()));
  }

  /** An engine that is to stop; undefined if it has. */
  #taken(engineIndex: number): ServedEngine | undefined {
    this.#assertKnown(engineIndex);
    const engine = this.#running.get(engineIndex);
    this.#running.delete(engineIndex);
    return engine;
  }

  #assertKnown(engineIndex: number): void {
    if (this.#indexes.includes(engineIndex)) return;
    throw new RangeError(`engineIndex: expected one of ${this.#indexes.join(', ')}, got ${engineIndex}`);
  }
}

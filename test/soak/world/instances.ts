/** The instances of one model, one after the other, and what they should have counted. */
import { ServingMetrics } from '../../../src/index.js';
import { ModelCounts } from './counts.js';
import type { Observed } from './observed.js';
import type { World } from './world.js';

/**
 * How an instance gives way to the next: when its requests have ended; at once, the next one already there, so that
 * the counts stay; or at once and with its counts.
 */
export type Reload = 'drain' | 'overlap' | 'drop';

export class Instances {
  readonly name: string;
  readonly reload: Reload;
  current: ServingMetrics;
  counts: ModelCounts = new ModelCounts();
  /** What the host was told of odd values, since the counts began. */
  diagnosed = 0;
  readonly #world: World;
  readonly #reading: () => Iterable<Observed>;
  readonly #retiring = new Set<ServingMetrics>();
  #finished = 0;

  /** `reading` gives the requests under way. */
  constructor(world: World, name: string, reload: Reload, reading: () => Iterable<Observed>) {
    this.#world = world;
    this.#reading = reading;
    this.name = name;
    this.reload = reload;
    this.current = this.#make();
  }

  get numRetiring(): number {
    return this.#retiring.size;
  }

  /** Puts a new instance in the place of the present one. */
  replace(): void {
    const old = this.current;
    if (this.reload === 'drop') this.dispose();
    this.current = this.#make();
    if (this.reload === 'drain') this.#retiring.add(old);
    else if (this.reload === 'overlap') this.#abandon(old);
  }

  /** Disposes those whose last request has ended. */
  retire(): void {
    for (const instance of this.#retiring) {
      if (instance.inFlight > 0) continue;
      this.#retiring.delete(instance);
      instance.dispose();
    }
  }

  /** Takes the model off the page, with all it has counted. */
  dispose(): void {
    const { ledger } = this.#world;
    if (this.#finished !== this.counts.ended && this.reload === 'drop')
      ledger.problem(`${this.name}: finishedRequests gave ${this.#finished}, expected ${this.counts.ended}`);
    ledger.recorded += this.counts.ended;
    this.#abandon(this.current);
    this.counts = new ModelCounts();
    this.#finished = 0;
    this.diagnosed = 0;
  }

  #make(): ServingMetrics {
    const { registry, time } = this.#world;
    const isFirst = this.counts.engines.size === 0;
    const metrics = new ServingMetrics({
      registry,
      modelName: this.name,
      clock: time,
      ...(isFirst && { engines: [0, 1] }),
      onDiagnostic: () => {
        this.diagnosed++;
        throw new Error('the host is broken');
      },
    });
    if (isFirst) for (const index of [0, 1]) this.counts.engine(index);
    if (this.reload === 'drop') metrics.finishedRequests.subscribe(() => this.#finished++);
    return metrics;
  }

  #abandon(instance: ServingMetrics): void {
    for (const observed of this.#reading()) {
      if (observed.counted && !observed.ended) this.#world.ledger.disposed++;
      observed.forget();
    }
    instance.dispose();
  }
}

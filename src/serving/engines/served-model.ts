/** One model on one registry: what all its instances share, and what stays as long as one of them lives. */
import type { MetricFamily } from '../../metric/family.js';
import type { Series } from '../../metric/series.js';
import type { Profile } from '../profile.js';
import type { HeldSeries, ModelEngine } from './model-engine.js';

/** Draft positions that can stand: a hostile payload must not grow the page without end. */
export const MAX_DRAFT_POSITIONS = 256;

/** What a model asks of the instances that serve it. */
export interface ModelInstance {
  /** More draft positions stand on the page: an instance that knows the engines resolves them. */
  draftPositionsGrew(): void;
}

/**
 * Series belong to the model, not to the instance that made them: after a reload whatever the new instance could still
 * show stays, and counts never go back.
 */
export class ServedModel {
  readonly name: string;
  readonly profile: Profile;
  readonly engines: Map<number, ModelEngine> = new Map();
  readonly instances: Set<ModelInstance> = new Set();
  /** Draft positions that stand on the page, for each engine. */
  numDraftPositions = 0;
  readonly #series = new Map<Series, MetricFamily>();
  #lastBatch: unknown;

  constructor(name: string, profile: Profile) {
    this.name = name;
    this.profile = profile;
  }

  /** Keeps a series on the page until the model's last instance leaves. */
  hold({ family, series }: HeldSeries): void {
    if (this.#series.has(series)) return;
    this.#series.set(series, family);
    series.owners++;
  }

  /** Puts draft positions 0 to `count` − 1 on the page for every engine that is served, at 0 where they are new. */
  standDraftPositions(count: number): void {
    if (count <= this.numDraftPositions) return;
    this.numDraftPositions = count;
    for (const instance of this.instances) instance.draftPositionsGrew();
  }

  /** True for a step that is the one just recorded: two subscribers of one operator, two operators, two instances. */
  isRepeated(batch: unknown): boolean {
    if (this.#lastBatch === batch) return true;
    this.#lastBatch = batch;
    return false;
  }

  /** Takes an instance away; with the last one the series leave the page. True if it was that. */
  leave(instance: ModelInstance): boolean {
    this.instances.delete(instance);
    if (this.instances.size > 0) return false;
    for (const series of this.#series.keys()) series.owners--;
    for (const engine of this.engines.values()) engine.release();
    for (const [series, family] of this.#series) if (series.owners === 0) family.remove(series);
    this.#series.clear();
    return true;
  }
}

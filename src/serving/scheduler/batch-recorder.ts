import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { SchedulerStats } from '../../engine-core/scheduler-stats.js';
import type { ServingCore } from '../engines/serving-core.js';
import { SchedulerRecorder } from './scheduler-recorder.js';

/** Records the steps of all engines of an instance: each finds its engine's recorder, made at its first step. */
export class BatchRecorder {
  readonly #core: ServingCore;
  readonly #recorders = new Map<number, SchedulerRecorder>();

  constructor(core: ServingCore) {
    this.#core = core;
  }

  /** Never throws, whatever the step holds. */
  record(batch: EngineCoreOutputs): void {
    if (this.#core.isRepeated(batch)) return;
    try {
      this.#record(batch);
    } catch (error) {
      this.#failed(error);
    }
  }

  #failed(error: unknown): void {
    this.#core.diagnostics.report('recording', 'expected to record a step, recorded a part of it', error);
  }

  #record({ engineIndex, outputs, schedulerStats }: EngineCoreOutputs): void {
    if (!Number.isSafeInteger(engineIndex) || engineIndex < 0) {
      this.#report('engineIndex', 'expected a whole number of at least 0, ignored the step', engineIndex);
      return;
    }
    const stats = this.#statsOf(schedulerStats);
    const recorder = this.#recorderOf(engineIndex);
    if (outputs !== undefined && outputs !== null) this.#recordOutputs(recorder, outputs);
    if (stats !== undefined) recorder.record(stats);
    recorder.stepped(stats !== undefined);
  }

  /** Apart from the stats: outputs that cannot be read must not cost them. */
  #recordOutputs(recorder: SchedulerRecorder, outputs: unknown): void {
    if (!Array.isArray(outputs)) {
      this.#report('outputs', 'expected an array, ignored it', outputs);
      return;
    }
    try {
      if (outputs.length > 0) recorder.recordIteration(outputs);
    } catch (error) {
      this.#failed(error);
    }
  }

  #statsOf(stats: unknown): SchedulerStats | undefined {
    if (typeof stats === 'object' && stats !== null) return stats;
    if (stats !== undefined && stats !== null)
      this.#report('schedulerStats', 'expected an object, ignored it', stats);
    return undefined;
  }

  /** Steps do not bring an engine back that was removed: they were still under way. */
  #recorderOf(engineIndex: number): SchedulerRecorder {
    let recorder = this.#recorders.get(engineIndex);
    if (recorder === undefined) {
      recorder = new SchedulerRecorder(this.#core.engine(engineIndex), this.#core.diagnostics);
      this.#recorders.set(engineIndex, recorder);
    }
    return recorder;
  }

  #report(source: 'engineIndex' | 'outputs' | 'schedulerStats', message: string, value: unknown): void {
    this.#core.diagnostics.report(source, message, value);
  }
}

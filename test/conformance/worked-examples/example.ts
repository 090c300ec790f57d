/** A frontend with one router, driven by hand on a clock of seconds: what the worked examples run on. */
import type { Registry } from 'prom-client';
import { type Observable, Subject } from 'rxjs';
import {
  type EngineCoreOutput,
  type EngineCoreOutputs,
  type EngineCoreStreamOutput,
  OutputRouter,
  type RequestInfo,
  type SchedulerStats,
  type ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../../src/index.js';
import { engineOutput, readSamples, schedulerStats } from '../../../src/testing/index.js';
import { serving } from '../used-metrics.js';

type OutputOptions = Parameters<typeof engineOutput>[1];

/** One request's part of a step. */
export function outputOf(
  requestId: string,
  tokens: readonly number[],
  options: OutputOptions = {},
): EngineCoreOutput {
  return engineOutput(tokens, { ...options, requestId }).output;
}

export class Example {
  readonly registry: Registry;
  readonly metrics: ServingMetrics;
  readonly aborted: string[] = [];
  readonly #engineIndex: number;
  readonly #batches = new Subject<EngineCoreOutputs>();
  readonly #router = new OutputRouter();
  /** Seconds, frontend clock. */
  now = 0;

  constructor(engines: readonly number[]) {
    this.#engineIndex = engines[0]!;
    const { registry, metrics } = serving({ engines, clock: { now: () => this.now * 1000 } });
    this.registry = registry;
    this.metrics = metrics;
    this.#batches.pipe(withSchedulerMetrics(metrics)).subscribe(this.#router);
  }

  /** A request's recorded stream. */
  open(requestId: string, request: RequestInfo): Observable<EngineCoreStreamOutput> {
    const onAbort = (id: string) => this.aborted.push(id);
    return this.#router
      .open(requestId, this.#engineIndex, { onAbort })
      .pipe(withRequestMetrics(this.metrics, request));
  }

  step(timestamp: number, outputs: readonly EngineCoreOutput[], rest: Partial<EngineCoreOutputs> = {}): void {
    this.#batches.next({ engineIndex: this.#engineIndex, timestamp, outputs, ...rest });
  }

  /** A step of scheduler stats alone. */
  stats(partial: SchedulerStats): void {
    this.step(1, [], { schedulerStats: schedulerStats(partial) });
  }

  /** This engine's samples by short names: `request_success{length}`, values of 0 left out. */
  async samples(): Promise<Record<string, number>> {
    const found: Record<string, number> = {};
    for (const [key, value] of await readSamples(this.registry)) {
      const [, name, labels] = /^vllm:([^{]*)\{(.*)\}$/u.exec(key) ?? [];
      if (name === undefined || value === 0 || !labels!.includes(`engine="${this.#engineIndex}"`)) continue;
      const extra = labels!.replace(/(?:engine|model_name)="[^"]*",?/gu, '').match(/"([^"]*)"/gu) ?? [];
      if (!name.endsWith('_bucket'))
        found[name + (extra.length > 0 ? `{${extra.join().replaceAll('"', '')}}` : '')] = value;
    }
    return found;
  }
}

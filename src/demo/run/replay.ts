import { Registry } from 'prom-client';
import { finalize, tap } from 'rxjs';
import { OutputRouter, ServingMetrics, withSchedulerMetrics } from '../../index.js';
import {
  type EngineFleet,
  type EngineOptions,
  type SimulatedRequest,
  simulateEngines,
} from '../../simulator/index.js';
import type { DemoOptions } from '../command/options.js';
import type { Trace } from '../trace/trace.js';
import { Clients } from './clients.js';
import { cacheConfigOf, engineSettings, maxLorasOf } from './engine-settings.js';
import { Playback } from './playback.js';
import { RequestSupply } from './request-supply.js';
import { RunRecord } from './run-record.js';
import { Workload } from './workload.js';

export const MODEL_NAME = 'simulated-8b';

/** A trace, the engines that serve it, the clients that read, and the metrics of it all on one virtual clock. */
export class Replay {
  readonly registry: Registry = new Registry();
  readonly playback: Playback = new Playback();
  readonly trace: Trace;
  readonly fleet: EngineFleet;
  readonly metrics: ServingMetrics;
  readonly record: RunRecord;
  readonly #supply: RequestSupply;
  readonly #clients: Clients;
  readonly #router: OutputRouter = new OutputRouter();

  /** @throws {UsageError} if the engines cannot hold the trace's largest request. */
  constructor(trace: Trace, options: DemoOptions) {
    const { engines, seed, lora } = options;
    const settings = engineSettings(trace, options);
    const { scheduler } = this.playback;
    this.trace = trace;
    this.#supply = new RequestSupply(trace);
    this.fleet = simulateEngines({
      ...settings,
      engines,
      seed,
      scheduler,
      requests: new Workload(options).of(this.#supply),
    });
    this.record = new RunRecord(this.fleet.engines);
    this.metrics = this.#makeMetrics(settings, lora);
    const { metrics, fleet } = this;
    const open = (engineIndex: number, { requestId }: SimulatedRequest) =>
      this.#router.open(requestId, engineIndex, { onAbort: () => fleet.abort(engineIndex, [requestId]) });
    this.#clients = new Clients({ open, metrics, scheduler }, options);
    this.#connect();
  }

  /** Replays until the last request has ended, or {@link stop}. */
  async run(): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    await this.#supply.fill(0); // the first request is asked for at once
    this.fleet.batches$
      .pipe(
        tap({ next: (batch) => this.record.batch(batch), error: (error) => (failure = { error }) }),
        finalize(() => this.playback.stop()),
        withSchedulerMetrics(this.metrics),
      )
      .subscribe(this.#router);
    try {
      await this.playback.run(this.#supply);
    } finally {
      await this.#supply.close();
    }
    if (failure !== undefined) throw failure.error;
  }

  /** All clients leave, the engines stop. */
  stop(): void {
    this.#clients.leave();
    this.fleet.close();
    this.playback.stop();
    this.metrics.idle();
  }

  #makeMetrics(settings: EngineOptions, lora: number): ServingMetrics {
    const metrics = new ServingMetrics({
      registry: this.registry,
      modelName: MODEL_NAME,
      engines: this.fleet.engines,
      clock: this.playback,
      ...(lora > 0 && { maxLora: maxLorasOf(lora) }),
    });
    for (const engine of this.fleet.engines) metrics.setCacheConfig(engine, cacheConfigOf(settings));
    return metrics;
  }

  #connect(): void {
    const { fleet, metrics, record } = this;
    metrics.finishedRequests.subscribe((request) => record.finish(request));
    fleet.multiModalCache$.subscribe(({ engineIndex, queries, hits }) =>
      metrics.recordMultiModalCache(engineIndex, { queries, hits }),
    );
    fleet.submitted$.subscribe((submitted) => {
      record.submit(submitted.engineIndex, submitted.request.numPromptTokens);
      this.#clients.open(submitted);
    });
  }
}

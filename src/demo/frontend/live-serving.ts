import { Registry } from 'prom-client';
import { asyncScheduler, type Observable, Subscription, tap } from 'rxjs';
import {
  type EngineCoreStreamOutput,
  OutputRouter,
  type RequestInfo,
  ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../index.js';
import type { EngineCoreRequestLike, EngineOptions, SimulatedRequest } from '../../simulator/index.js';
import type { DemoOptions } from '../command/options.js';
import { Clients } from '../run/clients.js';
import { cacheConfigOf, maxLorasOf } from '../run/engine-settings.js';
import { MODEL_NAME } from '../run/replay.js';
import { RunRecord } from '../run/run-record.js';
import { FinishedLog } from './finished-log.js';
import { LiveFleet } from './live-fleet.js';

/** A request that knows how long its answer would be by itself. */
export interface PromptRequest extends EngineCoreRequestLike {
  readonly numOutputTokens: number;
}

/** Why a request is not taken in. */
export type Refusal = 'no engine' | 'queue full';

/** Engines, router, metrics and the clients of the background load: all that serves, without a word of HTTP. */
export class LiveServing {
  readonly registry: Registry = new Registry();
  readonly router: OutputRouter = new OutputRouter();
  readonly metrics: ServingMetrics;
  readonly fleet: LiveFleet;
  readonly record: RunRecord;
  readonly finished: FinishedLog;
  readonly clients: Clients;
  /** What API clients are waiting for: {@link stop} leaves it, as they would. */
  readonly choices: Subscription = new Subscription();
  /** Tokens of prompt and answer together that an engine has room for. */
  readonly maxModelLen: number;
  readonly #settings: EngineOptions;
  readonly #maxQueue: number;

  constructor(settings: EngineOptions, options: DemoOptions) {
    const { engines, seed, lora, maxQueue } = options;
    this.#settings = settings;
    this.#maxQueue = maxQueue;
    this.maxModelLen = (settings.numKvBlocks ?? 0) * (settings.blockSize ?? 0); // both are set by engineSettings
    this.fleet = new LiveFleet(engines, { ...settings, seed, outputTokensOf: numOutputTokensOf });
    this.record = new RunRecord(this.fleet.indexes);
    this.metrics = new ServingMetrics({
      registry: this.registry,
      modelName: MODEL_NAME,
      engines: this.fleet.indexes,
      maxModelLen: this.maxModelLen,
      ...(lora > 0 && { maxLora: maxLorasOf(lora) }),
    });
    this.finished = new FinishedLog(this.metrics);
    const abort = (engineIndex: number, id: string) => this.fleet.abort(engineIndex, id);
    const { router, metrics } = this;
    this.clients = new Clients({ router, metrics, scheduler: asyncScheduler, abort }, options);
    this.#connect();
  }

  /** Whether `count` more requests would be taken in; a refusal for a full queue is counted. */
  refusal(count: number): Refusal | undefined {
    const { isServing, numWaiting } = this.fleet;
    if (!isServing) return 'no engine';
    if (numWaiting + count <= this.#maxQueue) return undefined;
    this.metrics.recordAdmissionRejection('max_num_queued_reqs');
    return 'queue full';
  }

  /** Opens a request's stream; whoever leaves it early is an abort to the engine. */
  open(requestId: string, engineIndex: number, info: RequestInfo): Observable<EngineCoreStreamOutput> {
    const onAbort = () => this.fleet.abort(engineIndex, requestId);
    return this.router.open(requestId, engineIndex, { onAbort }).pipe(withRequestMetrics(this.metrics, info));
  }

  submit(engineIndex: number, request: PromptRequest): void {
    this.record.submit(engineIndex, request.promptTokenIds.length);
    this.fleet.submit(engineIndex, request);
  }

  /** A request of the background load; one that is refused is lost, as its client would see. */
  offer(request: SimulatedRequest): void {
    const engineIndex = this.refusal(1) === undefined ? this.fleet.pick() : undefined;
    if (engineIndex === undefined) return;
    this.record.submit(engineIndex, request.numPromptTokens);
    this.clients.open({ request, engineIndex, arrivalTimeMs: Date.now() });
    this.fleet.submit(engineIndex, request);
  }

  addEngine(): number {
    const index = this.fleet.add();
    this.metrics.forEngine(index);
    this.metrics.setCacheConfig(index, cacheConfigOf(this.#settings));
    return index;
  }

  /** An engine dies: its streams end as errors, the others go on. */
  killEngine(index: number): void {
    this.fleet.kill(index);
    this.router.failEngine(index, new Error(`engine ${index} has died`));
    this.metrics.idle(index);
  }

  /** Everybody leaves, the engines stop; the page shows an idle fleet. */
  stop(): void {
    this.clients.leave();
    this.choices.unsubscribe();
    this.fleet.close();
    for (const index of this.record.engines.keys()) this.metrics.forEngine(index);
    this.metrics.idle();
  }

  #connect(): void {
    const { fleet, metrics, record, router } = this;
    for (const index of fleet.indexes) metrics.setCacheConfig(index, cacheConfigOf(this.#settings));
    fleet.batches$
      .pipe(
        tap((batch) => record.batch(batch)),
        withSchedulerMetrics(metrics),
      )
      .subscribe(router);
    fleet.removed$.subscribe((index) => metrics.removeEngine(index));
    fleet.multiModalCache$.subscribe(({ engineIndex, queries, hits }) =>
      metrics.recordMultiModalCache(engineIndex, { queries, hits }),
    );
    metrics.finishedRequests.subscribe((request) => record.finish(request));
  }
}

/** Only requests of {@link LiveServing.submit} come in the wire's shape. */
function numOutputTokensOf(request: EngineCoreRequestLike): number {
  return (request as PromptRequest).numOutputTokens;
}

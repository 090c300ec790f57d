import { Registry } from 'prom-client';
import { asyncScheduler, defer, type Observable, Subscription, tap } from 'rxjs';
import {
  type EngineCoreStreamOutput,
  type RequestInfo,
  ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../index.js';
import type { SimulatedRequest } from '../../simulator/index.js';
import type { DemoOptions } from '../command/options.js';
import type { Fleet, FleetRequest, PromptRequest } from '../fleet/fleet.js';
import { Clients } from '../run/clients.js';
import { maxLorasOf } from '../run/engine-settings.js';
import { MODEL_NAME } from '../run/replay.js';
import { RunRecord } from '../run/run-record.js';
import { FinishedLog } from './finished-log.js';

/** Why a request is not taken in. */
export type Refusal = 'no engine' | 'queue full';

/** Engines, router, metrics and the clients of the background load: all that serves, without a word of HTTP. */
export class LiveServing {
  readonly registry: Registry = new Registry();
  readonly metrics: ServingMetrics;
  readonly fleet: Fleet;
  readonly record: RunRecord;
  readonly finished: FinishedLog;
  readonly clients: Clients;
  /** What API clients are waiting for: {@link stop} leaves it, as they would. */
  readonly choices: Subscription = new Subscription();
  readonly #maxQueue: number;

  constructor(fleet: Fleet, options: Pick<DemoOptions, 'seed' | 'lora' | 'maxQueue' | 'abortRate'>) {
    const { lora, maxQueue } = options;
    this.#maxQueue = maxQueue;
    this.fleet = fleet;
    this.record = new RunRecord(fleet.indexes);
    this.metrics = new ServingMetrics({
      registry: this.registry,
      modelName: MODEL_NAME,
      engines: fleet.indexes,
      maxModelLen: fleet.maxModelLen,
      ...(lora > 0 && { maxLora: maxLorasOf(lora) }),
    });
    this.finished = new FinishedLog(this.metrics);
    const { metrics } = this;
    const open = (engineIndex: number, request: SimulatedRequest) => this.#outputs(engineIndex, request);
    this.clients = new Clients({ open, metrics, scheduler: asyncScheduler }, options);
    this.#connect();
  }

  /** Tokens of prompt and answer together that an engine has room for. */
  get maxModelLen(): number {
    return this.fleet.maxModelLen;
  }

  /** Whether `count` more requests would be taken in; a refusal for a full queue is counted. */
  refusal(count: number): Refusal | undefined {
    const { isServing, numWaiting } = this.fleet;
    if (!isServing) return 'no engine';
    if (numWaiting + count <= this.#maxQueue) return undefined;
    this.metrics.recordAdmissionRejection('max_num_queued_reqs');
    return 'queue full';
  }

  /** Sends a request; whoever leaves its stream early is an abort to the engine. */
  open(engineIndex: number, request: PromptRequest, info: RequestInfo): Observable<EngineCoreStreamOutput> {
    const { requestId, promptTokenIds } = request;
    return defer(() => {
      this.record.submit(engineIndex, promptTokenIds.length);
      return this.#outputs(engineIndex, request).pipe(
        withRequestMetrics(this.metrics, { ...info, engineIndex, requestId }),
      );
    });
  }

  /** A request of the background load; one that is refused is lost, as its client would see. */
  offer(request: SimulatedRequest): void {
    if (this.refusal(1) === undefined) this.send(request);
  }

  /** A request of the background load, however many wait; lost if no engine serves. */
  send(request: SimulatedRequest): void {
    const engineIndex = this.fleet.pick();
    if (engineIndex === undefined) return;
    this.record.submit(engineIndex, request.numPromptTokens);
    this.clients.open({ request, engineIndex, arrivalTimeMs: Date.now() });
  }

  addEngine(): number {
    const index = this.fleet.add();
    this.metrics.forEngine(index);
    this.metrics.setCacheConfig(index, this.fleet.cacheConfigOf(index));
    return index;
  }

  /** Everybody leaves, the engines stop; the page shows an idle fleet. */
  async stop(): Promise<void> {
    this.clients.leave();
    this.choices.unsubscribe();
    await this.fleet.close();
    for (const index of this.record.engines.keys()) this.metrics.forEngine(index);
    this.metrics.idle();
  }

  #outputs(engineIndex: number, request: FleetRequest): Observable<EngineCoreStreamOutput> {
    const outputs = this.fleet.open(engineIndex, request);
    return this.fleet.sendsStrays ? outputs.pipe(tap((output) => this.record.delivered(output))) : outputs;
  }

  #connect(): void {
    const { fleet, metrics, record } = this;
    for (const index of fleet.indexes) metrics.setCacheConfig(index, fleet.cacheConfigOf(index));
    fleet.batches$
      .pipe(
        tap((batch) => (fleet.sendsStrays ? record.sent(batch) : record.batch(batch))),
        withSchedulerMetrics(metrics),
      )
      .subscribe();
    fleet.removed$.subscribe((index) => metrics.removeEngine(index));
    fleet.lost$.subscribe((loss) => {
      record.lost(loss);
      metrics.idle(loss.engineIndex);
    });
    fleet.multiModalCache$.subscribe(({ engineIndex, queries, hits }) =>
      metrics.recordMultiModalCache(engineIndex, { queries, hits }),
    );
    metrics.finishedRequests.subscribe((request) => record.finish(request));
  }
}

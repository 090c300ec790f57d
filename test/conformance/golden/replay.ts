/** Feeds a golden case to the public API, as a serving frontend would. */
import { Registry } from 'prom-client';
import { Subject, type Subscription } from 'rxjs';
import {
  type EngineCoreOutputs,
  type FinishReason,
  type MetricsDiagnostic,
  OutputRouter,
  type ParallelSampling,
  ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../../src/index.js';
import type { GoldenOptions, GoldenRequest, GoldenStep } from './golden-case.js';

export class Replay {
  readonly registry: Registry = new Registry();
  readonly metrics: ServingMetrics;
  readonly diagnostics: MetricsDiagnostic[] = [];
  readonly #router = new OutputRouter();
  readonly #batches = new Subject<EngineCoreOutputs>();
  readonly #live = new Map<string, Subscription>();
  readonly #parents = new Map<string, ParallelSampling>();
  #reason: FinishReason = 'abort';
  #nowMs = 0;

  constructor({ modelName, engines, maxModelLen, maxLora }: GoldenOptions) {
    this.metrics = new ServingMetrics({
      registry: this.registry,
      modelName,
      engines,
      ...(maxModelLen !== undefined && { maxModelLen }),
      ...(maxLora !== undefined && { maxLora }),
      clock: { now: () => this.#nowMs },
      onDiagnostic: (diagnostic) => this.diagnostics.push(diagnostic),
    });
    this.#batches.pipe(withSchedulerMetrics(this.metrics)).subscribe(this.#router);
  }

  run(steps: readonly GoldenStep[]): this {
    for (const step of steps) this.step(step);
    return this;
  }

  step({ receivedAt, request, batch, end, requestId, reason, ...settings }: GoldenStep): void {
    this.#nowMs = receivedAt * 1000;
    if (request !== undefined) this.#start(request);
    if (batch !== undefined) this.#batches.next(batch);
    if (end !== undefined) this.#end(requestId!, reason ?? 'abort');
    const { mmCache, cacheConfig, sleepState } = settings;
    if (mmCache !== undefined) this.metrics.recordMultiModalCache(mmCache.engineIndex, mmCache);
    if (cacheConfig !== undefined) this.metrics.setCacheConfig(cacheConfig.engineIndex, cacheConfig.fields);
    if (sleepState !== undefined) this.metrics.setSleepState(sleepState.engineIndex, sleepState.state);
  }

  #start({ requestId, engineIndex, arrivalTime, parentId, n, ...rest }: GoldenRequest): void {
    const parent = parentId === undefined ? undefined : this.#parentOf(parentId, n!);
    const operator = withRequestMetrics(this.metrics, {
      ...rest,
      arrivalTimeMs: arrivalTime * 1000,
      unsubscribeReason: () => this.#reason,
      ...(parent === undefined ? n !== undefined && { n } : { parent }),
    });
    this.#live.set(requestId, this.#router.open(requestId, engineIndex).pipe(operator).subscribe());
  }

  #parentOf(parentId: string, n: number): ParallelSampling {
    let parent = this.#parents.get(parentId);
    if (parent === undefined) {
      parent = this.metrics.parallelSampling(n);
      this.#parents.set(parentId, parent);
    }
    return parent;
  }

  #end(requestId: string, reason: FinishReason): void {
    this.#reason = reason;
    this.#live.get(requestId)!.unsubscribe();
  }
}

import type { Observable } from 'rxjs';
import { assertMember, assertWholeNumber } from './checks.js';
import type { DiagnosticSource } from './diagnostics.js';
import type { AdmissionRejectionReason } from './engines/admission-rejections.js';
import { cacheConfigLabels } from './engines/cache-config.js';
import type { EngineMetrics } from './engines/engine-metrics.js';
import type { InstanceEngine } from './engines/instance-engine.js';
import { ServingCore } from './engines/serving-core.js';
import type { FinishedRequestStats } from './finished-request-stats.js';
import { resolveOptions, type ServingMetricsOptions } from './options.js';
import { ParallelSampling } from './request/parallel-sampling.js';
import type { RequestHandle } from './request/request-handle.js';
import type { RequestInfo } from './request/request-info.js';
import { startRequest } from './request/start-request.js';
import { type MultiModalCacheStats, recordMultiModalCache } from './scheduler/multi-modal-cache.js';

/** What an engine's memory does while it sleeps. */
export type SleepState = 'awake' | 'weights_offloaded' | 'discard_all';

const SLEEP_STATES: readonly SleepState[] = ['awake', 'weights_offloaded', 'discard_all'];

/**
 * The Prometheus metrics of vLLM's frontends for one model on one registry. A second instance on the registry shares
 * the families and keeps the counts; it differs by `model_name`.
 * @see vllm/v1/metrics/loggers.py `PrometheusStatLogger`; rust/src/metrics
 */
export class ServingMetrics {
  /** @internal */
  readonly core: ServingCore;

  /**
   * @throws {TypeError | RangeError} on a bad option; {@link Error} naming family and difference if a family's name
   * is taken by a metric that is not ours or has other buckets. Nothing is registered then.
   */
  constructor(options: ServingMetricsOptions) {
    this.core = new ServingCore(resolveOptions(options));
  }

  /**
   * One engine's resolved handles; its fixed series are made at the first call, at zero. Brings a removed engine back.
   * @throws {TypeError | RangeError} if `engineIndex` is not a whole number of at least 0.
   */
  forEngine(engineIndex: number): EngineMetrics {
    assertWholeNumber('engineIndex', engineIndex);
    return this.core.activeEngine(engineIndex).metrics;
  }

  /**
   * Shows an engine's cache configuration as `cache_config_info`, each field a label, spelled as Python prints it.
   * The last call per engine replaces. An engine that was removed stays so.
   */
  setCacheConfig(engineIndex: number, fields: Readonly<Record<string, unknown>>): void {
    if (this.#isGateway('setCacheConfig')) return;
    const shared = this.#engineOf(engineIndex)?.shared;
    if (shared === undefined || shared.removed) return;
    if (typeof fields !== 'object' || fields === null) {
      this.#report('cacheConfig', 'expected an object, ignored it', fields, engineIndex);
      return;
    }
    const labels = cacheConfigLabels(engineIndex, fields, (key, message) =>
      this.#report('cacheConfig', message, key, engineIndex),
    );
    shared.setCacheConfig(labels);
  }

  /** Sets exactly one of an engine's sleep states to 1; counters are not touched. A removed engine stays so. */
  setSleepState(engineIndex: number, sleepState: SleepState): void {
    if (this.#isGateway('setSleepState')) return;
    const position = SLEEP_STATES.indexOf(sleepState);
    if (position < 0) {
      this.#report(
        'sleepState',
        `expected one of ${SLEEP_STATES.join(', ')}, ignored it`,
        sleepState,
        engineIndex,
      );
      return;
    }
    const shared = this.#engineOf(engineIndex)?.shared;
    if (shared !== undefined && !shared.removed) shared.setSleepState(position);
  }

  /** Adds the look-ups of the frontend's multimodal cache, in items, to an engine's counters. */
  recordMultiModalCache(engineIndex: number, stats: MultiModalCacheStats): void {
    if (this.#isGateway('recordMultiModalCache')) return;
    const metrics = this.#engineOf(engineIndex)?.metrics;
    if (metrics === undefined) return;
    recordMultiModalCache(metrics, stats, {
      report: (source, message, value) => this.#report(source, message, value, engineIndex),
    });
  }

  /**
   * Counts a request that the frontend turned away at a limit of its queue. No request of the other families: it had
   * no engine. A reason that vLLM does not know counts as `other`, with a diagnostic.
   * @see vllm/v1/metrics/loggers.py, release 0.32.0
   */
  recordAdmissionRejection(reason: AdmissionRejectionReason): void {
    if (!this.#isGateway('recordAdmissionRejection')) this.core.admissions.record(reason);
  }

  /**
   * Scale-in: what the engine is doing leaves the page, for all instances of the model on this registry; what it has
   * done stays, so totals never go back. A new subscription or {@link forEngine} brings it back; stats that were still
   * under way do not.
   * @throws {TypeError} if `engineIndex` is no number; one that is not known is left alone.
   */
  removeEngine(engineIndex: number): void {
    assertMember('removeEngine.engineIndex', engineIndex, 'a number', typeof engineIndex === 'number');
    this.core.removeEngine(engineIndex);
  }

  /**
   * Sets the scheduler gauges of one engine, or of all, to 0: for when an engine stops sending stats. One that is not
   * known is left alone.
   */
  idle(engineIndex?: number): void {
    for (const engine of this.core.engines()) {
      if (engineIndex === undefined || engineIndex === engine.index) engine.idle();
    }
  }

  /**
   * Starts a request without a stream of RxJS: whoever sees its tokens tells the handle. Its time starts now. On a
   * gateway's page `engineIndex` is 0 if it is left out.
   * @throws {TypeError | RangeError} if `request` is no object, its engine is missing, or its prompt length or engine is
   * bad. Nothing throws after that.
   */
  startRequest(request: RequestInfo): RequestHandle {
    return startRequest(this.core, request);
  }

  /** A parent request of `n` sequences, for the `parent` of their subscriptions; `close()` it if some may never start. */
  parallelSampling(n: number): ParallelSampling {
    return new ParallelSampling(n);
  }

  /** Each terminal record as it is made; completes with {@link dispose}. */
  get finishedRequests(): Observable<FinishedRequestStats> {
    return this.core.finishedRequests;
  }

  /** Requests subscribed and not yet ended. */
  get inFlight(): number {
    return this.core.inFlight;
  }

  /**
   * Takes this model's label sets off the page, save those that another live instance of the model shares; families
   * that nobody uses any more leave the registry. Later recordings, also through kept handles, go nowhere. For a
   * reload that keeps the counts, build the new instance first.
   */
  dispose(): void {
    this.core.dispose();
  }

  /** True on a gateway's page, which has no family for what was called; reported. */
  #isGateway(call: string): boolean {
    if (this.core.profile !== 'gateway') return false;
    this.#report('profile', "expected profile 'engine', ignored the call", call);
    return true;
  }

  /** The engine of a setter's argument; an index that none can have is reported. */
  #engineOf(engineIndex: number): InstanceEngine | undefined {
    if (Number.isSafeInteger(engineIndex) && engineIndex >= 0) return this.core.engine(engineIndex);
    this.#report('engineIndex', 'expected a whole number of at least 0, ignored the call', engineIndex);
    return undefined;
  }

  #report(source: DiagnosticSource, message: string, value: unknown, engineIndex?: number): void {
    this.core.diagnostics.report(source, message, value, { engineIndex });
  }
}

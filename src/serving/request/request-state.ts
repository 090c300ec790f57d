/** What is remembered of one subscription: flat fields, all set here, in one order. */

import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { BucketIndex } from '../../metric/bucket-index.js';
import type { DiagnosticSource, Reporter } from '../diagnostics.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import type { LoraState } from '../engines/lora.js';
import { OVERFLOW_ADAPTER } from '../engines/lora.js';
import type { EngineTimings } from '../finished-request-stats.js';
import type { RecordingContext, TokenSource } from '../recording-context.js';
import { arrivalOf } from './frontend-clock.js';
import type { PrefillRecord } from './prefill.js';
import type { RequestPlan } from './request-info.js';
import type { StampClocks } from './stamp-clocks.js';

/** What a handle is told beside tokens. */
export interface ToldFacts {
  /** How its tokens were counted. */
  tokenSource: TokenSource;
  /** Times that the engine measured itself, if it said so. */
  engineTimings: EngineTimings | undefined;
}

export class RequestState implements Reporter {
  // What each token touches, side by side: among the other fields it lay on five cache lines an object instead of two,
  // and at 64 requests in flight an output took 2.5 ns more.
  readonly context: RecordingContext;
  /** Seconds, by the clock of `queuedTs`; NaN without a token: a double from birth, and every comparison with it fails. */
  lastTokenTs: number = Number.NaN;
  /** The engine whose next token may take the fast path: that of the last output and of the last token; -1 if they differ. */
  fastClock: number;
  // The cells of each token's two series, not their handles: at 1,024 engines each object on the way is a cache miss.
  // They stay when the handles of a disposed instance are detached from them; the fast path asks for that.
  readonly generationSlab: Float64Array;
  readonly generationAt: number;
  readonly latencySlab: Float64Array;
  readonly latencyAt: number;
  readonly latencySumAt: number;
  readonly latencyBuckets: BucketIndex;
  numGenerationTokens = 0;

  readonly engine: InstanceEngine;
  readonly plan: RequestPlan;
  /** The adapter its LoRA state goes under; undefined without one. */
  readonly adapter: string | undefined;
  loraState: LoraState | undefined = undefined;
  /** Until the first output with tokens. */
  prefilling = true;
  settled = false;
  /** While an output is being recorded outside the fast path; an end that comes meanwhile is `pending`. */
  recording = false;
  pending: FinishReason | undefined = undefined;
  corrupted = false;
  /** Ended by its engine after the prefill, without a token: pooling, embeddings, an error. */
  isPooled = false;
  wasScheduled = false;
  prefill: PrefillRecord | undefined = undefined;
  numPreemptions = 0;
  /** What only a handle is told; undefined for a stream of outputs. */
  told: ToldFacts | undefined = undefined;
  /** Frontend clock, ms. */
  arrivalMs: number;
  /** Seconds; NaN until then, as the three below. */
  timeToFirstToken: number = Number.NaN;
  /** Seconds, by the request's engine's clock unless `clocks` says otherwise. */
  queuedTs: number = Number.NaN;
  scheduledTs: number = Number.NaN;
  firstTokenTs: number = Number.NaN;
  /** Undefined as long as all outputs came from the request's engine. */
  clocks: StampClocks | undefined = undefined;

  constructor(context: RecordingContext, engine: InstanceEngine, plan: RequestPlan) {
    this.context = context;
    this.engine = engine;
    this.plan = plan;
    this.fastClock = plan.engineIndex;
    const { generationTokens, interTokenLatency } = engine.tokenCells;
    this.generationSlab = generationTokens.slab;
    this.generationAt = generationTokens.at;
    this.latencySlab = interTokenLatency.slab;
    this.latencyAt = interTokenLatency.at;
    this.latencyBuckets = engine.metrics.interTokenLatencySeconds.buckets;
    this.latencySumAt = interTokenLatency.at + this.latencyBuckets.bounds.length; // after the buckets, +Inf among them
    this.arrivalMs = arrivalOf(context, plan.arrivalTimeMs, this);
    this.adapter = plan.loraName === undefined ? undefined : this.#admitted(plan.loraName);
    try {
      engine.requestStarted();
    } catch (error) {
      this.report('recording', 'expected to count the request as in flight, did not', error);
    }
    this.moveLora('waiting');
  }

  /** The engine's figure if it gave one, else the request's own, else 0. */
  get numPromptTokens(): number {
    return this.prefill?.numPromptTokens ?? this.plan.numPromptTokens ?? 0;
  }

  report(source: DiagnosticSource, message: string, value: unknown): void {
    const { engineIndex, requestId } = this.plan;
    this.context.diagnostics.report(source, message, value, { engineIndex, requestId });
  }

  /** Where the request's adapter now counts it; undefined is nowhere. */
  moveLora(to: LoraState | undefined): void {
    if (this.adapter === undefined || this.loraState === to) return;
    this.context.lora.move(this.adapter, this.loraState, to);
    this.loraState = to;
  }

  #admitted(name: string): string {
    if (this.context.lora.admits(name)) return name;
    this.report('loraName', `expected fewer live adapters, counted it under ${OVERFLOW_ADAPTER}`, name);
    return OVERFLOW_ADAPTER;
  }
}

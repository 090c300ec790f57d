/** The lower bound: the same recording as code with fields written by hand, without any check. */

import type { EngineCoreStreamOutput } from '../../../src/engine-core/engine-core-outputs.js';
import { defaultBuckets } from '../../../src/serving/catalog/default-buckets.js';
import { MAX_TOKENS, PROMPT_TOKENS } from './lifecycle-workload.js';

class Cells {
  readonly bounds: Float64Array;
  readonly counts: Float64Array;
  sum = 0.5; // a double from birth; taken off when read

  constructor(bounds: readonly number[]) {
    this.bounds = Float64Array.from(bounds);
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds } = this;
    let bucket = 0;
    while (bucket < bounds.length && value > bounds[bucket]!) bucket++;
    this.counts[bucket]! += 1;
    this.sum += value;
  }
}

const BUCKETS = defaultBuckets(undefined);

export class HandWrittenEngine {
  promptTokens = 0;
  cached = 0;
  localCompute = 0;
  localCacheHit = 0;
  external = 0;
  generationTokens = 0;
  preemptions = 0;
  length = 0;
  readonly ttft: Cells = new Cells(BUCKETS.timeToFirstToken);
  readonly itl: Cells = new Cells(BUCKETS.interTokenLatency);
  readonly promptLength: Cells = new Cells(BUCKETS.requestTokens);
  readonly generated: Cells = new Cells(BUCKETS.requestTokens);
  readonly longest: Cells = new Cells(BUCKETS.requestTokens);
  readonly maxTokens: Cells = new Cells(BUCKETS.requestTokens);
  readonly prefillKv: Cells = new Cells(BUCKETS.requestTokens);
  readonly n: Cells = new Cells(BUCKETS.requestParamsN);
  readonly numPreemptions: Cells = new Cells(BUCKETS.requestNumPreemptions);
  readonly e2e: Cells = new Cells(BUCKETS.requestLatency);
  readonly queued: Cells = new Cells(BUCKETS.requestLatency);
  readonly prefill: Cells = new Cells(BUCKETS.requestLatency);
  readonly decode: Cells = new Cells(BUCKETS.requestLatency);
  readonly inference: Cells = new Cells(BUCKETS.requestLatency);
  readonly perToken: Cells = new Cells(BUCKETS.interTokenLatency);
}

export class HandWrittenRecorder {
  readonly engine: HandWrittenEngine;
  readonly arrival: number = performance.now();
  tokens = 0;
  preemptions = 0;
  cached = 0;
  queuedTs: number = Number.NaN;
  scheduledTs: number = Number.NaN;
  firstTs: number = Number.NaN;
  lastTs: number = Number.NaN;

  constructor(engine: HandWrittenEngine) {
    this.engine = engine;
  }

  next({ timestamp, output }: EngineCoreStreamOutput): void {
    const { engine } = this;
    const { events, newTokenIds, finishReason } = output;
    if (events) {
      for (const event of events) {
        if (event.type === 'queued') this.queuedTs = event.timestamp;
        else if (event.type === 'scheduled') this.scheduledTs = event.timestamp;
        else {
          this.preemptions++;
          engine.preemptions++;
        }
      }
    }
    this.tokens += newTokenIds.length;
    engine.generationTokens += newTokenIds.length;
    if (Number.isNaN(this.lastTs)) this.#first(output.prefillStats!, timestamp);
    else engine.itl.observe(timestamp - this.lastTs);
    this.lastTs = timestamp;
    if (finishReason) this.#finish();
  }

  #first(stats: NonNullable<EngineCoreStreamOutput['output']['prefillStats']>, timestamp: number): void {
    const { engine } = this;
    engine.promptTokens += stats.numPromptTokens!;
    engine.cached += stats.numCachedTokens!;
    engine.localCompute += stats.numComputedTokens!;
    engine.localCacheHit += stats.numLocalCachedTokens!;
    engine.external += stats.numExternalCachedTokens!;
    this.cached = stats.numCachedTokens!;
    engine.ttft.observe((performance.now() - this.arrival) / 1000);
    this.firstTs = timestamp;
  }

  #finish(): void {
    const { engine, tokens } = this;
    engine.length++;
    engine.promptLength.observe(PROMPT_TOKENS);
    engine.generated.observe(tokens);
    engine.longest.observe(tokens);
    engine.maxTokens.observe(MAX_TOKENS);
    engine.n.observe(1);
    engine.numPreemptions.observe(this.preemptions);
    engine.prefillKv.observe(PROMPT_TOKENS - this.cached);
    engine.e2e.observe((performance.now() - this.arrival) / 1000);
    engine.queued.observe(this.scheduledTs - this.queuedTs);
    engine.prefill.observe(this.firstTs - this.scheduledTs);
    engine.decode.observe(this.lastTs - this.firstTs);
    engine.inference.observe(this.lastTs - this.scheduledTs);
    engine.perToken.observe((this.lastTs - this.firstTs) / (tokens - 1));
  }
}

/** The usual way: prom-client's own families, their `labels()` handles kept per engine. */
import { Counter, Histogram, type Registry } from 'prom-client';
import type { EngineCoreStreamOutput } from '../../../src/engine-core/engine-core-outputs.js';
import { defaultBuckets } from '../../../src/serving/catalog/default-buckets.js';
import { MAX_TOKENS, PROMPT_TOKENS } from './lifecycle-workload.js';

const BUCKETS = defaultBuckets(undefined);
const LABELS = ['model_name', 'engine'];

export type KeptCounter = Counter.Internal;
export type KeptHistogram = Histogram.Internal<string>;

/** One engine's kept handles on a registry; the families are made with its first engine. */
export class KeptEngine {
  readonly promptTokens: KeptCounter;
  readonly cached: KeptCounter;
  readonly localCompute: KeptCounter;
  readonly localCacheHit: KeptCounter;
  readonly external: KeptCounter;
  readonly generationTokens: KeptCounter;
  readonly preemptions: KeptCounter;
  readonly length: KeptCounter;
  readonly ttft: KeptHistogram;
  readonly itl: KeptHistogram;
  readonly promptLength: KeptHistogram;
  readonly generated: KeptHistogram;
  readonly longest: KeptHistogram;
  readonly maxTokens: KeptHistogram;
  readonly prefillKv: KeptHistogram;
  readonly n: KeptHistogram;
  readonly numPreemptions: KeptHistogram;
  readonly e2e: KeptHistogram;
  readonly queued: KeptHistogram;
  readonly prefill: KeptHistogram;
  readonly decode: KeptHistogram;
  readonly inference: KeptHistogram;
  readonly perToken: KeptHistogram;

  constructor(registry: Registry, engine: number) {
    const counter = (name: string, extra: Record<string, string> = {}): KeptCounter => {
      const known = registry.getSingleMetric(name) as Counter | undefined;
      const labelNames = [...LABELS, ...Object.keys(extra)];
      const family = known ?? new Counter({ name, help: name, labelNames, registers: [registry] });
      return family.labels({ model_name: 'm', engine: String(engine), ...extra });
    };
    const histogram = (name: string, bounds: readonly number[]): KeptHistogram => {
      const known = registry.getSingleMetric(name) as Histogram | undefined;
      const options = { name, help: name, labelNames: LABELS, buckets: [...bounds], registers: [registry] };
      return (known ?? new Histogram(options)).labels({ model_name: 'm', engine: String(engine) });
    };
    this.promptTokens = counter('prompt_tokens_total');
    this.cached = counter('prompt_tokens_cached_total');
    this.localCompute = counter('prompt_tokens_by_source_total', { source: 'local_compute' });
    this.localCacheHit = counter('prompt_tokens_by_source_total', { source: 'local_cache_hit' });
    this.external = counter('prompt_tokens_by_source_total', { source: 'external_kv_transfer' });
    this.generationTokens = counter('generation_tokens_total');
    this.preemptions = counter('num_preemptions_total');
    this.length = counter('request_success_total', { finished_reason: 'length' });
    this.ttft = histogram('time_to_first_token_seconds', BUCKETS.timeToFirstToken);
    this.itl = histogram('inter_token_latency_seconds', BUCKETS.interTokenLatency);
    this.promptLength = histogram('request_prompt_tokens', BUCKETS.requestTokens);
    this.generated = histogram('request_generation_tokens', BUCKETS.requestTokens);
    this.longest = histogram('request_max_num_generation_tokens', BUCKETS.requestTokens);
    this.maxTokens = histogram('request_params_max_tokens', BUCKETS.requestTokens);
    this.prefillKv = histogram('request_prefill_kv_computed_tokens', BUCKETS.requestTokens);
    this.n = histogram('request_params_n', BUCKETS.requestParamsN);
    this.numPreemptions = histogram('request_num_preemptions', BUCKETS.requestNumPreemptions);
    this.e2e = histogram('e2e_request_latency_seconds', BUCKETS.requestLatency);
    this.queued = histogram('request_queue_time_seconds', BUCKETS.requestLatency);
    this.prefill = histogram('request_prefill_time_seconds', BUCKETS.requestLatency);
    this.decode = histogram('request_decode_time_seconds', BUCKETS.requestLatency);
    this.inference = histogram('request_inference_time_seconds', BUCKETS.requestLatency);
    this.perToken = histogram('request_time_per_output_token_seconds', BUCKETS.interTokenLatency);
  }
}

export class KeptRecorder {
  readonly engine: KeptEngine;
  readonly arrival: number = performance.now();
  tokens = 0;
  preemptions = 0;
  cached = 0;
  queuedTs: number = Number.NaN;
  scheduledTs: number = Number.NaN;
  firstTs: number = Number.NaN;
  lastTs: number = Number.NaN;

  constructor(engine: KeptEngine) {
    this.engine = engine;
  }

  next({ timestamp, output }: EngineCoreStreamOutput): void {
    const { engine } = this;
    for (const event of output.events ?? []) {
      if (event.type === 'queued') this.queuedTs = event.timestamp;
      else if (event.type === 'scheduled') this.scheduledTs = event.timestamp;
      else {
        this.preemptions++;
        engine.preemptions.inc();
      }
    }
    this.tokens += output.newTokenIds.length;
    engine.generationTokens.inc(output.newTokenIds.length);
    if (Number.isNaN(this.lastTs)) this.#first(output.prefillStats!, timestamp);
    else engine.itl.observe(timestamp - this.lastTs);
    this.lastTs = timestamp;
    if (output.finishReason) this.#finish();
  }

  #first(stats: NonNullable<EngineCoreStreamOutput['output']['prefillStats']>, timestamp: number): void {
    const { engine } = this;
    engine.promptTokens.inc(stats.numPromptTokens!);
    engine.cached.inc(stats.numCachedTokens!);
    engine.localCompute.inc(stats.numComputedTokens!);
    engine.localCacheHit.inc(stats.numLocalCachedTokens!);
    engine.external.inc(stats.numExternalCachedTokens!);
    this.cached = stats.numCachedTokens!;
    engine.ttft.observe((performance.now() - this.arrival) / 1000);
    this.firstTs = timestamp;
  }

  #finish(): void {
    const { engine, tokens } = this;
    engine.length.inc();
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

/** An engine's steps by the recording rules. */
import type {
  EngineCoreOutput,
  EngineCoreOutputs,
  SchedulerStats,
  SpecDecodingStats,
} from '../../src/index.js';
import type { Extra, Sheet } from './sheet.js';

const STAGES = ['waiting_to_start', 'in_progress', 'completed_waiting'];

/** One iteration sample per step with outputs: new tokens and computed prompt tokens, whoever an output is for. */
function recordOutputs(
  sheet: Sheet,
  engine: number,
  outputs: readonly (EngineCoreOutput | null | undefined)[],
): void {
  if (outputs.length === 0) return;
  let tokens = 0;
  for (const output of outputs) {
    if (Array.isArray(output?.newTokenIds)) tokens += output.newTokenIds.length;
    const computed = output?.prefillStats?.numComputedTokens;
    if (typeof computed === 'number') tokens += computed;
  }
  sheet.observe('iteration_tokens_total', engine, tokens);
}

/** One engine's stats: what is absent is 0, what is no figure is odd. */
class StatsRules {
  readonly #sheet: Sheet;
  readonly #engine: number;

  constructor(sheet: Sheet, engine: number) {
    this.#sheet = sheet;
    this.#engine = engine;
  }

  record(stats: SchedulerStats): void {
    this.#gauges(stats);
    this.#caches(stats);
    this.#drafts(this.#struct(stats.specDecodingStats, 'specDecodingStats'));
    this.#work(stats);
    this.#evictions(stats);
  }

  #gauges(stats: SchedulerStats): void {
    const byReason = 'num_requests_waiting_by_reason';
    const [capacity, deferred] = [{ reason: 'capacity' }, { reason: 'deferred' }];
    this.#set('num_requests_running', stats.numRunningReqs, 'numRunningReqs');
    this.#set(byReason, stats.numWaitingReqs, 'numWaitingReqs', capacity);
    this.#set(byReason, stats.numSkippedWaitingReqs, 'numSkippedWaitingReqs', deferred);
    const waiting = [capacity, deferred].map((reason) => this.#sheet.gauge(byReason, this.#engine, reason));
    this.#sheet.set('num_requests_waiting', this.#engine, waiting[0]! + waiting[1]!);
    for (const stage of STAGES)
      this.#set(
        'num_requests_kv_fetch_by_stage',
        stats.numKvFetchReqsByStage?.[stage],
        'numKvFetchReqsByStage',
        {
          stage,
        },
      );
    const usage = stats.kvCacheUsage ?? 0;
    if (usage > 1) this.#sheet.odd('kvCacheUsage');
    this.#sheet.set('kv_cache_usage_perc', this.#engine, Math.min(1, usage));
  }

  #caches({ prefixCacheStats, connectorPrefixCacheStats }: SchedulerStats): void {
    const local = this.#struct(prefixCacheStats, 'prefixCacheStats');
    if (local) {
      this.#add('prefix_cache_queries', local.queries, 'prefixCacheStats.queries');
      this.#add('prefix_cache_hits', local.hits, 'prefixCacheStats.hits');
      this.#tiers({ device: local.hits ?? 0 });
    }
    const external = this.#struct(connectorPrefixCacheStats, 'connectorPrefixCacheStats');
    if (external) {
      this.#add('external_prefix_cache_queries', external.queries, 'connectorPrefixCacheStats.queries');
      this.#add('external_prefix_cache_hits', external.hits, 'connectorPrefixCacheStats.hits');
      this.#tiers(external.hitsBySource ?? {});
    }
  }

  #tiers(hitsBySource: Readonly<Record<string, number>>): void {
    for (const [source, n] of Object.entries(hitsBySource))
      this.#sheet.add('prompt_tokens_cached_by_source_total', this.#engine, n, { source });
  }

  #drafts(spec: SpecDecodingStats | undefined): void {
    if (spec === undefined) return;
    this.#add('spec_decode_num_drafts', spec.numDrafts, 'numDrafts');
    this.#add('spec_decode_num_draft_tokens', spec.numDraftTokens, 'numDraftTokens');
    this.#add('spec_decode_num_accepted_tokens', spec.numAcceptedTokens, 'numAcceptedTokens');
    spec.numAcceptedTokensPerPos?.forEach((n, position) => {
      const extra = { position: String(position) };
      this.#sheet.add('spec_decode_num_accepted_tokens_per_pos_total', this.#engine, n, extra);
    });
  }

  #work({ perfStats: perf }: SchedulerStats): void {
    if (!perf) return;
    this.#add('estimated_flops_per_gpu', perf.numFlopsPerGpu, 'numFlopsPerGpu');
    this.#add('estimated_read_bytes_per_gpu', perf.numReadBytesPerGpu, 'numReadBytesPerGpu');
    this.#add('estimated_write_bytes_per_gpu', perf.numWriteBytesPerGpu, 'numWriteBytesPerGpu');
  }

  #evictions({ kvCacheEvictionEvents }: SchedulerStats): void {
    const observe = (name: string, seconds: number) => this.#sheet.observe(name, this.#engine, seconds);
    for (const { lifetimeSeconds, idleSeconds, reuseGapsSeconds } of kvCacheEvictionEvents ?? []) {
      observe('kv_block_lifetime_seconds', lifetimeSeconds!);
      observe('kv_block_idle_before_evict_seconds', idleSeconds!);
      for (const gap of reuseGapsSeconds ?? []) observe('kv_block_reuse_gap_seconds', gap);
    }
  }

  #struct<T extends object>(value: T | null | undefined, source: string): T | undefined {
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'object') return value;
    this.#sheet.odd(source);
    return undefined;
  }

  /** A gauge keeps its value if the new one is no figure. */
  #set(name: string, value: number | null | undefined, source: string, extra: Extra = {}): void {
    if (isFigure(value ?? 0)) this.#sheet.set(name, this.#engine, value ?? 0, extra);
    else this.#sheet.odd(source);
  }

  #add(name: string, n: number | null | undefined, source: string): void {
    if (isFigure(n ?? 0)) this.#sheet.add(`${name}_total`, this.#engine, n ?? 0);
    else this.#sheet.odd(source);
  }
}

function isFigure(value: number): boolean {
  return value >= 0 && Number.isFinite(value);
}

/** One step of an engine that is on the sheet: its outputs and its stats are recorded. */
export function recordBatch(sheet: Sheet, { engineIndex, outputs, schedulerStats }: EngineCoreOutputs): void {
  recordOutputs(sheet, engineIndex, outputs);
  if (typeof schedulerStats === 'object' && schedulerStats !== null)
    new StatsRules(sheet, engineIndex).record(schedulerStats);
}

/** Scheduler stats: made, and booked by the rules. */
import type { EngineCoreOutput, EngineCoreOutputs, SchedulerStats } from '../../src/index.js';
import type { EngineCounts, ModelCounts } from './counts.js';
import type { Ledger } from './ledger.js';
import type { Random } from './random.js';

const ODD: readonly (readonly [kind: string, fields: object])[] = [
  ['running requests that are no number', { numRunningReqs: Number.NaN }],
  ['negative waiting requests', { numWaitingReqs: -3 }],
  ['cache usage above 1', { kvCacheUsage: 1.5 }],
  ['prefix cache stats that are no struct', { prefixCacheStats: 'x' }],
  ['negative look-ups', { prefixCacheStats: { queries: -1, hits: 2 } }],
  [
    'infinite drafts',
    { specDecodingStats: { numDrafts: Number.POSITIVE_INFINITY, numAcceptedTokensPerPos: [] } },
  ],
];

export function drawStats(random: Random, numRunningReqs: number, ledger: Ledger): SchedulerStats {
  const queries = random.below(100);
  const numDrafts = random.below(4);
  const stats: SchedulerStats = {
    numRunningReqs,
    numWaitingReqs: random.below(5),
    numSkippedWaitingReqs: random.below(3),
    kvCacheUsage: random.below(1024) / 1024,
    prefixCacheStats: { queries, hits: random.below(queries + 1) },
    specDecodingStats: random.chance(0.3)
      ? {
          numDrafts,
          numDraftTokens: 3 * numDrafts,
          numAcceptedTokens: numDrafts,
          numAcceptedTokensPerPos: [numDrafts],
        }
      : undefined,
  };
  if (!random.chance(0.02)) return stats;
  const [kind, fields] = random.pick(ODD);
  ledger.fault(kind);
  return { ...stats, ...fields };
}

/** What a step should have recorded. */
export function bookStep(
  model: ModelCounts,
  { engineIndex, outputs, schedulerStats }: EngineCoreOutputs,
): void {
  if (engineIndex < 0 || !Array.isArray(outputs)) return;
  const counts = model.engine(engineIndex);
  bookIteration(counts, outputs);
  if (typeof schedulerStats === 'object' && schedulerStats !== null) bookStats(model, counts, schedulerStats);
}

/** Every output counts, whoever it is for. */
function bookIteration(counts: EngineCounts, outputs: readonly (EngineCoreOutput | null)[]): void {
  if (outputs.length === 0) return;
  let tokens = 0;
  for (const output of outputs) {
    if (Array.isArray(output?.newTokenIds)) tokens += output.newTokenIds.length;
    const computed = output?.prefillStats?.numComputedTokens;
    if (typeof computed === 'number') tokens += computed;
  }
  counts.histograms['iteration_tokens_total'].add(tokens);
}

function bookStats(model: ModelCounts, counts: EngineCounts, stats: SchedulerStats): void {
  const { gauges } = counts;
  if (holds(stats.numRunningReqs)) gauges.running = stats.numRunningReqs;
  else model.report('numRunningReqs');
  if (holds(stats.numWaitingReqs)) gauges.capacity = stats.numWaitingReqs;
  else model.report('numWaitingReqs');
  gauges.deferred = stats.numSkippedWaitingReqs!;
  gauges.kvUsage = Math.min(1, stats.kvCacheUsage!);
  if (stats.kvCacheUsage! > 1) model.report('kvCacheUsage');
  bookCache(model, counts, stats.prefixCacheStats);
  bookDrafts(model, counts, stats.specDecodingStats);
}

function holds(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value);
}

function bookCache(
  model: ModelCounts,
  { counters }: EngineCounts,
  stats: SchedulerStats['prefixCacheStats'],
): void {
  if (typeof stats !== 'object' || stats === null) {
    model.report('prefixCacheStats');
    return;
  }
  if (holds(stats.queries)) counters['prefix_cache_queries_total'] += stats.queries;
  else model.report('prefixCacheStats.queries');
  counters['prefix_cache_hits_total'] += stats.hits!;
  counters['prompt_tokens_cached_by_source_total|source="device"'] += stats.hits!;
}

function bookDrafts(
  model: ModelCounts,
  { counters }: EngineCounts,
  stats: SchedulerStats['specDecodingStats'],
): void {
  if (stats === undefined || stats === null) return;
  if (holds(stats.numDrafts)) counters['spec_decode_num_drafts_total'] += stats.numDrafts;
  else model.report('numDrafts');
  counters['spec_decode_num_draft_tokens_total'] += stats.numDraftTokens ?? 0;
  counters['spec_decode_num_accepted_tokens_total'] += stats.numAcceptedTokens ?? 0;
}

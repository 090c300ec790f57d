import type { RunRecord } from '../run/run-record.js';
import { percent, seconds, table, whole } from '../terminal/format.js';
import type { Page } from './page.js';
import { quantileOf, quantileOfBuckets } from './quantiles.js';

const REASONS: readonly string[] = ['stop', 'length', 'abort', 'error', 'repetition'];
const QUANTILES: readonly number[] = [0.5, 0.9, 0.99];

/** More engines than this are shown as one. */
const MAX_ROWS = 8;

function reasonTable(page: Page, engines: readonly number[]): string[] {
  const name = 'vllm:request_success_total';
  const counts = (engine: number) =>
    REASONS.map((reason) => page.value(name, engine, { finished_reason: reason }));
  const row = (title: string, values: readonly number[]) => {
    const total = values.reduce((sum, value) => sum + value, 0);
    return [title, ...values.map(whole), whole(total)];
  };
  const all = engines.map(counts);
  const sums = REASONS.map((_, i) => all.reduce((sum, values) => sum + values[i]!, 0));
  const single =
    engines.length > MAX_ROWS ? [] : engines.map((engine, i) => row(`engine ${engine}`, all[i]!));
  return table([['Requests', ...REASONS, 'all'], ...single, row('all engines', sums)]);
}

function tokenTable(page: Page): string[] {
  const sum = (name: string) => page.sum(`vllm:${name}`);
  const steps = sum('iteration_tokens_total_count');
  const row = [
    'all engines',
    whole(sum('prompt_tokens_total')),
    whole(sum('prompt_tokens_cached_total')),
    whole(sum('generation_tokens_total')),
    whole(sum('iteration_tokens_total_sum')),
    whole(steps),
  ];
  return table([['Tokens', 'prompt', 'of it cached', 'generated', 'computed', 'steps with outputs'], row]);
}

/** Kept values are ranked; inter-token latencies are too many to keep. */
function latencyTable(page: Page, { timesToFirstToken, e2eLatencies }: RunRecord): string[] {
  const exact = (title: string, values: readonly number[]) => {
    const sorted = Float64Array.from(values).sort();
    const quantiles = QUANTILES.map((q) => seconds(quantileOf(sorted, q)));
    return [title, ...quantiles, whole(sorted.length), 'exact'];
  };
  const buckets = page.buckets('vllm:inter_token_latency_seconds');
  const interpolated = QUANTILES.map((q) => seconds(quantileOfBuckets(buckets, q)));
  return table([
    ['Seconds', ...QUANTILES.map((q) => `p${100 * q}`), 'samples', 'how'],
    exact('time to first token', timesToFirstToken),
    ['inter-token latency', ...interpolated, whole(buckets.at(-1)?.[1] ?? 0), 'interpolated in its buckets'],
    exact('end to end', e2eLatencies),
  ]);
}

function preemptionLine(page: Page, { finished, numPreempted }: RunRecord): string {
  const total = page.sum('vllm:num_preemptions_total');
  const each = finished === 0 ? 0 : total / finished;
  const share = finished === 0 ? 0 : numPreempted / finished;
  return `Preemptions: ${whole(total)}, ${each.toFixed(4)} a request, ${percent(share)} of requests had one or more`;
}

/** What a run came to, in trace time. */
export function summaryLines(page: Page, record: RunRecord): string[] {
  const refused = page.sum('rx_engine_metrics_invalid_values_total');
  return [
    ...reasonTable(page, [...record.engines.keys()]),
    '',
    ...tokenTable(page),
    '',
    ...latencyTable(page, record),
    '',
    preemptionLine(page, record),
    ...(refused > 0 ? [`Values that the recorders refused: ${whole(refused)}`] : []),
  ];
}

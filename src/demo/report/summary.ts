import type { LatencySample } from '../run/latency-sample.js';
import type { RunRecord } from '../run/run-record.js';
import { percent, seconds, whole } from '../terminal/format.js';
import { table, wrapped } from '../terminal/layout.js';
import type { Page } from './page.js';
import { quantileOf, quantileOfBuckets } from './quantiles.js';

const REASONS: readonly string[] = ['stop', 'length', 'abort', 'error', 'repetition'];
const QUANTILES: readonly number[] = [0.5, 0.9, 0.99];

/** More engines than this are shown as one. */
const MAX_ROWS = 8;

function reasonTable(page: Page, engines: readonly number[], width: number): string[] {
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
  return table([['Requests', ...REASONS, 'all'], ...single, row('all engines', sums)], { width });
}

function tokenTable(page: Page, width: number): string[] {
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
  const head = ['Tokens', 'prompt', 'of it cached', 'generated', 'computed', 'steps with outputs'];
  return table([head, row], { width });
}

/** Kept values are ranked; inter-token latencies are too many to keep. */
function latencyTable(page: Page, { timesToFirstToken, e2eLatencies }: RunRecord, width: number): string[] {
  const ranked = (title: string, { values, count, isExact }: LatencySample) => {
    const sorted = Float64Array.from(values).sort();
    const quantiles = QUANTILES.map((q) => seconds(quantileOf(sorted, q)));
    return [title, ...quantiles, whole(count), isExact ? 'exact' : `of ${whole(sorted.length)} of them`];
  };
  const buckets = page.buckets('vllm:inter_token_latency_seconds');
  const interpolated = QUANTILES.map((q) => seconds(quantileOfBuckets(buckets, q)));
  const count = whole(buckets.at(-1)?.[1] ?? 0);
  const rows = [
    ['Seconds', ...QUANTILES.map((q) => `p${100 * q}`), 'samples', 'how'],
    ranked('time to first token', timesToFirstToken),
    ['inter-token latency', ...interpolated, count, 'interpolated in its buckets'],
    ranked('end to end', e2eLatencies),
  ];
  return table(rows, { width });
}

function preemptionLine(page: Page, { finished, numPreempted }: RunRecord): string {
  const total = page.sum('vllm:num_preemptions_total');
  const each = finished === 0 ? 0 : total / finished;
  const share = finished === 0 ? 0 : numPreempted / finished;
  return `Preemptions: ${whole(total)}, ${each.toFixed(4)} a request, ${percent(share)} of requests had one or more`;
}

/** Engines that died, one a line. */
function lossLines({ losses }: RunRecord, width: number): string[] {
  const lines = losses.map(
    ({ engineIndex, reason, numRequests }) =>
      `Engine ${engineIndex} was lost (${reason}): ${whole(numRequests)} requests ended as errors with it`,
  );
  return wrapped(lines, width);
}

/** What a run came to, in trace time, on lines of at most `width` characters. */
export function summaryLines(page: Page, record: RunRecord, width: number = Infinity): string[] {
  const refused = page.sum('rx_engine_metrics_invalid_values_total');
  return [
    ...reasonTable(page, [...record.engines.keys()], width),
    '',
    ...tokenTable(page, width),
    '',
    ...latencyTable(page, record, width),
    '',
    ...wrapped([preemptionLine(page, record)], width),
    ...lossLines(record, width),
    ...(refused > 0 ? wrapped([`Values that the recorders refused: ${whole(refused)}`], width) : []),
  ];
}

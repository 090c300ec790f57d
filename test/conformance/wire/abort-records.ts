/** What terminal records add to a page, computed from the records themselves. */
import type { FinishedRequestStats } from '../../../src/index.js';

/** A record; of several sequences of one request the last also stands for all of them. */
type Ended = FinishedRequestStats & { readonly longest: number | undefined };

type Figure = (request: Ended) => number | null | undefined;

/** A sample's value for each terminal histogram. */
const HISTOGRAMS: Readonly<Record<string, Figure>> = {
  request_prompt_tokens: (request) => request.numPromptTokens,
  request_generation_tokens: (request) => request.numGenerationTokens,
  request_max_num_generation_tokens: (request) => request.longest,
  request_params_max_tokens: (request) => request.maxTokens,
  request_params_n: (request) => (request.longest === undefined ? undefined : request.n),
  request_num_preemptions: (request) => request.numPreemptions,
  request_prefill_kv_computed_tokens: (request) => request.numPromptTokens - request.numCachedTokens,
  e2e_request_latency_seconds: (request) => request.e2eLatency,
  request_queue_time_seconds: (request) => request.queuedTime,
  request_prefill_time_seconds: (request) => request.prefillTime,
  request_decode_time_seconds: (request) => request.decodeTime,
  request_inference_time_seconds: (request) => request.inferenceTime,
  request_time_per_output_token_seconds: (request) => request.meanTimePerOutputToken,
};

const KEY = /^vllm:(\w+?)_(bucket|count|sum)\{(.*)\}$/;

/** Ids of sequences are their request's, with a number in front. */
function parentOf({ requestId = '' }: FinishedRequestStats): string {
  return requestId.replace(/^\d+_/, '');
}

function endedOf(records: readonly FinishedRequestStats[]): Ended[] {
  return records.map((record, i) => {
    const siblings = records.filter((other) => parentOf(other) === parentOf(record));
    const isLast = records.lastIndexOf(siblings.at(-1)!) === i;
    const longest = Math.max(...siblings.map(({ numGenerationTokens }) => numGenerationTokens));
    return { ...record, longest: isLast ? longest : undefined };
  });
}

function added(key: string, request: Ended): number {
  if (!key.includes(`engine="${request.engineIndex}"`)) return 0;
  if (key.startsWith('vllm:request_success_total{')) return Number(key.includes(`"${request.finishReason}"`));
  const [, family, part, labels] = KEY.exec(key) ?? [];
  const value = HISTOGRAMS[family ?? '']?.(request);
  if (value === undefined || value === null) return 0;
  if (part === 'count') return 1;
  if (part === 'sum') return value;
  const bound = /le="([^"]+)"/.exec(labels!)![1]!;
  return Number(value <= (bound === '+Inf' ? Number.POSITIVE_INFINITY : Number(bound)));
}

/** A page's growth without what these records added to it. */
export function without(
  growth: ReadonlyMap<string, number>,
  records: readonly FinishedRequestStats[],
): ReadonlyMap<string, number> {
  const ended = endedOf(records);
  return new Map(
    [...growth].map(([key, value]) => [
      key,
      ended.reduce((rest, record) => rest - added(key, record), value),
    ]),
  );
}

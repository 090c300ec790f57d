/** What one ended request should have recorded. */
import type { Observed } from './observed.js';

/** The longest of its family if it is the last of it. */
export function longestOf({ plan: { family }, tokens }: Observed): number | undefined {
  if (family === undefined) return tokens;
  family.left--;
  family.longest = Math.max(family.longest, tokens);
  return family.left === 0 ? family.longest : undefined;
}

/** With the first token, or with the end if there was none. */
export function countPrompt({ engine: { counters }, prefill }: Observed): void {
  if (prefill === undefined) return;
  const { total, computed, local, external } = prefill;
  counters['prompt_tokens_total'] += total;
  counters['prompt_tokens_by_source_total|source="local_compute"'] += computed;
  counters['prompt_tokens_by_source_total|source="local_cache_hit"'] += local;
  counters['prompt_tokens_by_source_total|source="external_kv_transfer"'] += external;
  counters['prompt_tokens_cached_total'] += local + external;
}

export function countTerminal(observed: Observed, longest: number | undefined): void {
  const { plan, engine, prefill, tokens } = observed;
  const { histograms, counters } = engine;
  const cached = prefill?.hasParts ? prefill.local + prefill.external : 0;
  const length = prefill?.total ?? plan.numPromptTokens;
  if (!observed.started) countPrompt(observed);
  if (observed.corrupted) counters['corrupted_requests_total']++;
  histograms['request_prompt_tokens'].add(length);
  histograms['request_generation_tokens'].add(tokens);
  histograms['request_num_preemptions'].add(observed.preemptions);
  histograms['request_prefill_kv_computed_tokens'].add(Math.max(0, length - cached));
  if (observed.maxTokens !== undefined) histograms['request_params_max_tokens'].add(observed.maxTokens);
  if (longest === undefined) return;
  histograms['request_max_num_generation_tokens'].add(longest);
  histograms['request_params_n'].add(plan.family?.parent.n ?? 1);
}

export function countIntervals(observed: Observed, now: number): void {
  const { engine, queued, scheduled, first, last, tokens } = observed;
  const { histograms } = engine;
  const queue = between(observed, 'requestQueueTimeSeconds', queued, scheduled);
  const prefill = between(observed, 'requestPrefillTimeSeconds', scheduled, first);
  const decode = observed.pooled ? 0 : between(observed, 'requestDecodeTimeSeconds', first, last);
  const inference = between(observed, 'requestInferenceTimeSeconds', scheduled, last);
  histograms['e2e_request_latency_seconds'].add(now - observed.arrival);
  histograms['request_queue_time_seconds'].add(queue);
  histograms['request_prefill_time_seconds'].add(prefill);
  histograms['request_decode_time_seconds'].add(decode);
  histograms['request_inference_time_seconds'].add(inference);
  histograms['request_time_per_output_token_seconds'].add(tokens > 1 ? decode / (tokens - 1) : 0);
}

/** A missing end is 0, one before the start is an odd 0. */
function between(observed: Observed, source: string, start: number, end: number): number {
  if (end - start < 0) observed.odd(source);
  return Math.max(0, end - start || 0); // NaN is 0 here
}

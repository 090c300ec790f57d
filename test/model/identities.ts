/** The identities of architecture.md §3, for engines with nothing in flight. */
import type { Samples } from '../support/samples.js';

/** Histograms with one sample per ended request. */
export const TERMINAL = [
  'request_prompt_tokens',
  'request_generation_tokens',
  'request_num_preemptions',
  'e2e_request_latency_seconds',
] as const;
/** These too, unless `unknownIntervals` is `omit`. */
export const OMITTABLE = [
  'request_prefill_kv_computed_tokens',
  'request_queue_time_seconds',
  'request_prefill_time_seconds',
  'request_decode_time_seconds',
  'request_inference_time_seconds',
  'request_time_per_output_token_seconds',
] as const;
/** These too, unless `parent` is used. */
export const PER_PARENT = ['request_max_num_generation_tokens', 'request_params_n'] as const;

export interface IdentityOptions {
  readonly omit?: boolean;
  readonly parents?: boolean;
  /** Outputs with tokens that live requests of the engine got. */
  readonly outputsWithTokens?: number;
}

/** Each identity that does not hold, as a line. */
export function brokenIdentities(page: Samples, engine: number, options: IdentityOptions = {}): string[] {
  const { omit = false, parents = false, outputsWithTokens } = options;
  const broken: string[] = [];
  const same = (name: string, ours: number | undefined, wanted: number | undefined) => {
    if (ours !== wanted || ours === undefined)
      broken.push(`engine ${engine}: ${name} is ${ours}, not ${wanted}`);
  };
  const ended = Object.values(page.success(engine)).reduce((sum, n) => sum + n, 0);
  const names = [...TERMINAL, ...(omit ? [] : OMITTABLE), ...(parents ? [] : PER_PARENT)];
  for (const name of names) same(`${name}_count`, page.histogram(name, engine)[0], ended);
  const [, generated] = page.histogram('request_generation_tokens', engine);
  same('generation_tokens', page.value('generation_tokens_total', engine), generated);
  const [, preempted] = page.histogram('request_num_preemptions', engine);
  same('num_preemptions', page.value('num_preemptions_total', engine), preempted);
  same('requests_in_flight', page.inFlight(engine), 0);
  if (outputsWithTokens !== undefined) {
    const firsts = page.histogram('time_to_first_token_seconds', engine)[0]!;
    const gaps = page.histogram('inter_token_latency_seconds', engine)[0];
    same('inter_token_latency_seconds_count', gaps, outputsWithTokens - firsts);
  }
  return broken;
}

/** The iteration identity: every output belonged to a live request with one valid prefill record. */
export function brokenIteration(page: Samples, engine: number): string[] {
  const [, tokens] = page.histogram('iteration_tokens_total', engine);
  const computed = page.value('prompt_tokens_by_source_total', engine, { source: 'local_compute' })!;
  const wanted = computed + page.value('generation_tokens_total', engine)!;
  return tokens === wanted ? [] : [`engine ${engine}: iteration_tokens sum is ${tokens}, not ${wanted}`];
}

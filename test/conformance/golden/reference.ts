/** What our rules make of a golden case's requests, computed plainly: for keys on which upstream differs. */
import type { EngineCoreEvent, EngineCoreOutput, FinishReason } from '../../../src/index.js';
import type { GoldenRequest, GoldenStep } from './golden-case.js';

interface Live {
  readonly request: GoldenRequest;
  readonly stamps: { queued?: number; scheduled?: number; first?: number; last?: number };
  generated: number;
  cached: number;
  preemptions: number;
  corrupted: boolean;
}

/** Seconds between two stamps: 0 if one is missing or they go back. */
function between(start: number | undefined, end: number | undefined): number {
  return start === undefined || end === undefined ? 0 : Math.max(0, end - start);
}

export class Reference {
  /** Every sample, by `family{engine}`: a histogram's values, or ones of a counter. */
  readonly #values = new Map<string, number[]>();
  readonly #live = new Map<string, Live>();

  constructor(steps: readonly GoldenStep[]) {
    for (const step of steps) this.#step(step);
  }

  values(family: string, engine: string): readonly number[] {
    return this.#values.get(`${family}{${engine}}`) ?? [];
  }

  #step({ receivedAt, request, batch, end, requestId }: GoldenStep): void {
    if (request !== undefined) this.#live.set(request.requestId, startOf(request));
    for (const output of batch?.outputs ?? []) {
      const live = this.#live.get(output.requestId);
      if (live !== undefined) this.#output(live, output, batch!.timestamp, receivedAt);
    }
    if (end !== undefined) this.#end(this.#live.get(requestId!)!, 'abort', receivedAt);
  }

  #output(live: Live, output: EngineCoreOutput, timestamp: number, receivedAt: number): void {
    const { stamps, request } = live;
    for (const event of output.events ?? []) applyEvent(live, event);
    live.corrupted ||= (output.numNansInLogits ?? 0) > 0;
    live.cached ||= output.prefillStats?.numCachedTokens ?? 0;
    live.generated += output.newTokenIds.length;
    if (output.newTokenIds.length > 0) {
      if (stamps.first === undefined) {
        stamps.first = timestamp;
        this.#add('time_to_first_token_seconds', request, receivedAt - request.arrivalTime);
      } else this.#add('inter_token_latency_seconds', request, between(stamps.last, timestamp));
      stamps.last = timestamp;
    }
    if (output.finishReason) this.#end(live, output.finishReason, receivedAt);
  }

  #end(live: Live, reason: FinishReason, receivedAt: number): void {
    const { request, stamps, generated } = live;
    const decode = between(stamps.first, stamps.last);
    this.#live.delete(request.requestId);
    this.#add(`request_success_total ${reason}`, request, 1);
    if (live.corrupted) this.#add('corrupted_requests_total', request, 1);
    this.#add('request_num_preemptions', request, live.preemptions);
    this.#add('request_prompt_tokens', request, request.numPromptTokens);
    this.#add('request_prefill_kv_computed_tokens', request, request.numPromptTokens - live.cached);
    this.#add('request_generation_tokens', request, generated);
    this.#add('request_max_num_generation_tokens', request, generated);
    this.#add('request_params_n', request, 1);
    if (request.maxTokens !== null) this.#add('request_params_max_tokens', request, request.maxTokens);
    this.#add('e2e_request_latency_seconds', request, receivedAt - request.arrivalTime);
    this.#add('request_queue_time_seconds', request, between(stamps.queued, stamps.scheduled));
    this.#add('request_prefill_time_seconds', request, between(stamps.scheduled, stamps.first));
    this.#add('request_decode_time_seconds', request, decode);
    this.#add('request_inference_time_seconds', request, between(stamps.scheduled, stamps.last));
    this.#add('request_time_per_output_token_seconds', request, generated > 1 ? decode / (generated - 1) : 0);
  }

  #add(family: string, { engineIndex }: GoldenRequest, value: number): void {
    const key = `vllm:${family}{${engineIndex}}`;
    this.#values.set(key, [...(this.#values.get(key) ?? []), value]);
  }
}

function startOf(request: GoldenRequest): Live {
  return { request, stamps: {}, generated: 0, cached: 0, preemptions: 0, corrupted: false };
}

function applyEvent(live: Live, { type, timestamp }: EngineCoreEvent): void {
  if (type === 'preempted') live.preemptions++;
  if (live.stamps.scheduled !== undefined) return;
  if (type === 'queued') live.stamps.queued = timestamp;
  if (type === 'scheduled') live.stamps.scheduled = timestamp;
}

/** The value that the sample of a key must have. */
export function referenceSample(reference: Reference, key: string): number {
  const [, name, text] = /^([^{]*)\{(.*)\}$/u.exec(key)!;
  const labels = Object.fromEntries(
    [...text!.matchAll(/(\w+)="([^"]*)"/gu)].map(([, label, value]) => [label!, value!]),
  );
  const engine = labels['engine']!;
  const reason = labels['finished_reason'];
  if (reason !== undefined) return reference.values(`${name} ${reason}`, engine).length;
  const values = reference.values(name!.replace(/_(bucket|sum|count)$/u, ''), engine);
  if (name!.endsWith('_sum')) return values.reduce((sum, value) => sum + value, 0);
  const bound = Number((labels['le'] ?? '+Inf').replace('+Inf', 'Infinity'));
  return values.filter((value) => value <= bound).length;
}

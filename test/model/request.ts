/** One request by the recording rules of architecture.md §3: plain, slow, and in their order. */
import type { EngineCoreEvent, EngineCoreStreamOutput, FinishReason, PrefillStats } from '../../src/index.js';
import type { ReferencePage } from './page.js';
import { cachedTokens, computedHere, countPrompt } from './prompt.js';

/** n children that share the two samples of their parent. */
export class ReferenceParent {
  readonly n: number;
  readonly lengths: number[] = [];

  constructor(n: number) {
    this.n = n;
  }
}

export interface ReferenceInfo {
  readonly engineIndex: number;
  readonly numPromptTokens: number;
  readonly arrivalMs: number;
  readonly maxTokens: number | undefined;
  readonly n: number;
  readonly parent: ReferenceParent | undefined;
  /** Durations with a missing end make no sample. */
  readonly omit: boolean;
}

const REASONS: readonly unknown[] = ['stop', 'length', 'abort', 'error', 'repetition'];

export class ReferenceRequest {
  ended: string | undefined;
  generated = 0;
  preemptions = 0;
  #corrupted = false;
  #prefill: PrefillStats | undefined;
  #hasToken = false;
  #queuedTs: number | undefined;
  #scheduledTs: number | undefined;
  #firstTs: number | undefined;
  #lastTs: number | undefined;
  readonly #page: ReferencePage;
  readonly #info: ReferenceInfo;

  constructor(page: ReferencePage, info: ReferenceInfo) {
    this.#page = page;
    this.#info = info;
    page.inFlight(info.engineIndex, 1);
  }

  next({ output, timestamp }: EngineCoreStreamOutput, nowMs: number): void {
    if (this.ended !== undefined) return;
    const { engineIndex } = this.#info;
    if (output.prefillStats) this.#prefill ??= output.prefillStats;
    if (output.numNansInLogits) this.#corrupted = true;
    this.generated += output.newTokenIds.length;
    this.#page.add('generation_tokens_total', engineIndex, output.newTokenIds.length);
    for (const event of output.events ?? []) this.#event(event);
    if (output.newTokenIds.length > 0)
      this.#tokens(Number.isFinite(timestamp) ? timestamp : undefined, nowMs);
    const { finishReason } = output;
    if (finishReason) this.end(REASONS.includes(finishReason) ? finishReason : 'error', nowMs);
  }

  #event({ type, timestamp }: EngineCoreEvent): void {
    if (type === 'queued' && this.#scheduledTs === undefined) this.#queuedTs = timestamp;
    if (type === 'scheduled') this.#scheduledTs ??= timestamp;
    if (type !== 'preempted') return;
    this.preemptions++;
    this.#page.add('num_preemptions_total', this.#info.engineIndex, 1);
  }

  #tokens(timestamp: number | undefined, nowMs: number): void {
    const { engineIndex, arrivalMs } = this.#info;
    if (!this.#hasToken) {
      this.#hasToken = true;
      this.#prefill ??= computedHere(this.#info.numPromptTokens);
      countPrompt(this.#page, engineIndex, this.#prefill);
      this.#page.observe('time_to_first_token_seconds', engineIndex, Math.max(0, (nowMs - arrivalMs) / 1000));
      this.#firstTs = timestamp;
    } else {
      const known = timestamp !== undefined && this.#lastTs !== undefined;
      const gap = known ? Math.max(0, timestamp - this.#lastTs!) : 0;
      this.#page.observe('inter_token_latency_seconds', engineIndex, gap);
    }
    if (timestamp !== undefined) this.#lastTs = timestamp;
  }

  end(reason: FinishReason, nowMs: number): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    const { engineIndex, arrivalMs } = this.#info;
    this.#page.inFlight(engineIndex, -1);
    this.#page.add('request_success_total', engineIndex, 1, { finished_reason: reason });
    if (this.#corrupted) this.#page.add('corrupted_requests_total', engineIndex, 1);
    this.#endCounts();
    this.#observe('e2e_request_latency_seconds', Math.max(0, (nowMs - arrivalMs) / 1000));
    this.#endIntervals();
  }

  #endCounts(): void {
    const { numPromptTokens, maxTokens, parent, n } = this.#info;
    this.#observe('request_prompt_tokens', numPromptTokens);
    this.#observe('request_generation_tokens', this.generated);
    this.#observe('request_num_preemptions', this.preemptions);
    this.#observe(
      'request_prefill_kv_computed_tokens',
      Math.max(0, numPromptTokens - cachedTokens(this.#prefill)),
    );
    if (maxTokens !== undefined) this.#observe('request_params_max_tokens', maxTokens);
    if (parent !== undefined) parent.lengths.push(this.generated);
    if (parent !== undefined && parent.lengths.length !== parent.n) return;
    this.#observe('request_max_num_generation_tokens', Math.max(...(parent?.lengths ?? [this.generated])));
    this.#observe('request_params_n', parent?.n ?? n);
  }

  #endIntervals(): void {
    const decode = interval(this.#firstTs, this.#lastTs);
    const gaps = this.generated - 1;
    const perToken = decode === undefined ? undefined : gaps > 0 ? decode / gaps : 0;
    this.#interval('request_queue_time_seconds', interval(this.#queuedTs, this.#scheduledTs));
    this.#interval('request_prefill_time_seconds', interval(this.#scheduledTs, this.#firstTs));
    this.#interval('request_decode_time_seconds', decode);
    this.#interval('request_inference_time_seconds', interval(this.#scheduledTs, this.#lastTs));
    this.#interval('request_time_per_output_token_seconds', perToken);
  }

  #interval(name: string, seconds: number | undefined): void {
    if (seconds !== undefined || !this.#info.omit) this.#observe(name, seconds ?? 0);
  }

  #observe(name: string, value: number): void {
    this.#page.observe(name, this.#info.engineIndex, value);
  }
}

function interval(start: number | undefined, end: number | undefined): number | undefined {
  if (start === undefined || end === undefined) return undefined;
  return end >= start ? end - start : 0;
}

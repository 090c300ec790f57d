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
  /** Undefined: only the engine knows. */
  readonly numPromptTokens: number | undefined;
  readonly arrivalMs: number;
  readonly maxTokens: number | undefined;
  readonly n: number;
  readonly parent: ReferenceParent | undefined;
  /** Durations with a missing end make no sample. */
  readonly omit: boolean;
}

/** Seconds by an engine's clock. */
interface Stamp {
  readonly time: number;
  readonly clock: number;
}

const REASONS: readonly unknown[] = ['stop', 'length', 'abort', 'error', 'repetition'];

export class ReferenceRequest {
  ended: string | undefined;
  generated = 0;
  preemptions = 0;
  #corrupted = false;
  #prefill: PrefillStats | undefined;
  #hasToken = false;
  #queued: Stamp | undefined;
  #scheduled: Stamp | undefined;
  #first: Stamp | undefined;
  #last: Stamp | undefined;
  #isPooled = false;
  readonly #page: ReferencePage;
  readonly #info: ReferenceInfo;

  constructor(page: ReferencePage, info: ReferenceInfo) {
    this.#page = page;
    this.#info = info;
    page.inFlight(info.engineIndex, 1);
  }

  /** `from`: whose output it is, and whose clock its stamps are of. */
  next({ output, timestamp, engineIndex: from }: EngineCoreStreamOutput, nowMs: number): void {
    if (this.ended !== undefined) return;
    const { engineIndex } = this.#info;
    const stamp = Number.isFinite(timestamp) ? { time: timestamp, clock: from } : undefined;
    if (output.prefillStats) this.#prefill ??= output.prefillStats;
    if (output.numNansInLogits) this.#corrupted = true;
    this.generated += output.newTokenIds.length;
    this.#page.add('generation_tokens_total', engineIndex, output.newTokenIds.length);
    for (const event of output.events ?? []) this.#event(event, from);
    if (output.newTokenIds.length > 0) this.#tokens(stamp, nowMs);
    const { finishReason } = output;
    if (finishReason && !this.#hasToken && this.#prefill) {
      this.#isPooled = true;
      this.#first = this.#last = stamp;
    }
    if (finishReason) this.end(REASONS.includes(finishReason) ? finishReason : 'error', nowMs);
  }

  #event({ type, timestamp }: EngineCoreEvent, clock: number): void {
    const stamp = { time: timestamp, clock };
    if (type === 'queued' && this.#scheduled === undefined) this.#queued = stamp;
    if (type === 'scheduled') this.#scheduled ??= stamp;
    if (type !== 'preempted') return;
    this.preemptions++;
    this.#page.add('num_preemptions_total', this.#info.engineIndex, 1);
  }

  #tokens(stamp: Stamp | undefined, nowMs: number): void {
    const { engineIndex, arrivalMs } = this.#info;
    if (!this.#hasToken) {
      this.#hasToken = true;
      this.#prefill ??= computedHere(this.#length());
      countPrompt(this.#page, engineIndex, this.#prefill);
      this.#page.observe('time_to_first_token_seconds', engineIndex, Math.max(0, (nowMs - arrivalMs) / 1000));
      this.#first = stamp;
    } else {
      this.#page.observe('inter_token_latency_seconds', engineIndex, interval(this.#last, stamp) ?? 0);
    }
    if (stamp !== undefined) this.#last = stamp;
  }

  end(reason: FinishReason, nowMs: number): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    const { engineIndex, arrivalMs } = this.#info;
    this.#page.inFlight(engineIndex, -1);
    this.#page.add('request_success_total', engineIndex, 1, { finished_reason: reason });
    if (!this.#hasToken && this.#prefill) countPrompt(this.#page, engineIndex, this.#prefill);
    if (this.#corrupted) this.#page.add('corrupted_requests_total', engineIndex, 1);
    this.#endCounts();
    this.#observe('e2e_request_latency_seconds', Math.max(0, (nowMs - arrivalMs) / 1000));
    this.#endIntervals();
  }

  #endCounts(): void {
    const { maxTokens, parent, n, omit } = this.#info;
    this.#observe('request_prompt_tokens', this.#length());
    this.#observe('request_generation_tokens', this.generated);
    this.#observe('request_num_preemptions', this.preemptions);
    if (this.#prefill || this.#scheduled || !omit)
      this.#observe('request_prefill_kv_computed_tokens', this.#length() - cachedTokens(this.#prefill));
    if (maxTokens !== undefined) this.#observe('request_params_max_tokens', maxTokens);
    if (parent !== undefined) parent.lengths.push(this.generated);
    if (parent !== undefined && parent.lengths.length !== parent.n) return;
    this.#observe('request_max_num_generation_tokens', Math.max(...(parent?.lengths ?? [this.generated])));
    this.#observe('request_params_n', parent?.n ?? n);
  }

  #endIntervals(): void {
    const decode = this.#isPooled ? 0 : interval(this.#first, this.#last);
    const gaps = this.generated - 1;
    const perToken = decode === undefined ? undefined : gaps > 0 ? decode / gaps : 0;
    this.#interval('request_queue_time_seconds', interval(this.#queued, this.#scheduled));
    this.#interval('request_prefill_time_seconds', interval(this.#scheduled, this.#first));
    this.#interval('request_decode_time_seconds', decode);
    this.#interval('request_inference_time_seconds', interval(this.#scheduled, this.#last));
    this.#interval('request_time_per_output_token_seconds', perToken);
  }

  /** The engine's figure, else the request's own, else 0. */
  #length(): number {
    return this.#prefill?.numPromptTokens ?? this.#info.numPromptTokens ?? 0;
  }

  #interval(name: string, seconds: number | undefined): void {
    if (seconds !== undefined || !this.#info.omit) this.#observe(name, seconds ?? 0);
  }

  #observe(name: string, value: number): void {
    this.#page.observe(name, this.#info.engineIndex, value);
  }
}

/** Unknown between two clocks. */
function interval(start: Stamp | undefined, end: Stamp | undefined): number | undefined {
  if (start === undefined || end === undefined || start.clock !== end.clock) return undefined;
  return Math.max(0, end.time - start.time);
}

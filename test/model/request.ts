/** One request by the recording rules of architecture.md §3: plain, slow, and in their order. */
import type { EngineCoreStreamOutput, FinishReason } from '../../src/index.js';
import { cachedTokens, computedHere, countPrompt, type Prefill, readPrefill } from './prompt.js';
import { NOWHERE, type Sheet } from './sheet.js';

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
  /** Where its adapter's name is listed while it lives. */
  place: 'waiting' | 'running' = 'waiting';
  #corrupted = false;
  #prefill: Prefill | undefined;
  #hasToken = false;
  #queued: Stamp | undefined;
  #scheduled: Stamp | undefined;
  #first: Stamp | undefined;
  #last: Stamp | undefined;
  #isPooled = false;
  #sheet: Sheet;
  readonly #info: ReferenceInfo;
  /** Whose output the last one was. */
  #from: number;

  constructor(sheet: Sheet, info: ReferenceInfo) {
    this.#sheet = sheet;
    this.#info = info;
    this.#from = info.engineIndex;
    sheet.inFlight(info.engineIndex, 1);
  }

  /** Its instance was disposed: nothing is recorded of it any more, though it lives on. */
  forget(): void {
    if (this.ended === undefined) this.#sheet.inFlight(this.#info.engineIndex, -1);
    this.#sheet = NOWHERE;
  }

  get isForgotten(): boolean {
    return this.#sheet === NOWHERE;
  }

  /** An output with fields of any kind; its `engineIndex` says whose clock its stamps are of. */
  next({ output, timestamp, engineIndex: from }: EngineCoreStreamOutput, nowMs: number): void {
    if (this.ended !== undefined) return;
    if (from !== this.#from) this.#sheet.odd('engineIndex');
    this.#from = from;
    const stamp = Number.isFinite(timestamp) ? { time: timestamp, clock: from } : undefined;
    const { prefillStats, finishReason } = output;
    const numTokens = this.#countTokens(output.newTokenIds);
    this.#countNans(output.numNansInLogits ?? 0);
    if (prefillStats !== undefined && prefillStats !== null)
      this.#prefill ??= readPrefill(prefillStats, this.#info.numPromptTokens, this.#sheet);
    this.#events(output.events ?? [], from);
    if (numTokens > 0) this.#tokens(stamp, nowMs);
    if (finishReason) this.#finish(finishReason, stamp, nowMs);
  }

  #countTokens(ids: unknown): number {
    if (!Array.isArray(ids)) {
      this.#sheet.odd('newTokenIds');
      return 0;
    }
    this.generated += ids.length;
    this.#sheet.add('generation_tokens_total', this.#info.engineIndex, ids.length);
    return ids.length;
  }

  #countNans(nans: number): void {
    if (nans > 0) this.#corrupted = true;
    else if (nans !== 0) this.#sheet.odd('numNansInLogits');
  }

  #events(events: unknown, clock: number): void {
    if (!Array.isArray(events)) {
      this.#sheet.odd('events');
      return;
    }
    for (const { type, timestamp } of events) this.#event(type, timestamp, clock);
  }

  #event(type: unknown, timestamp: number, clock: number): void {
    if (type === 'preempted') this.#preempted();
    else if (type !== 'queued' && type !== 'scheduled') this.#sheet.odd('type');
    else if (this.#scheduled === undefined) {
      const stamp = Number.isFinite(timestamp) ? { time: timestamp, clock } : undefined;
      if (stamp === undefined) this.#sheet.odd('events.timestamp');
      if (type === 'queued') this.#queued = stamp;
      else this.#scheduled = stamp;
    }
    if (type === 'scheduled') this.place = 'running';
  }

  #preempted(): void {
    this.preemptions++;
    this.place = 'waiting';
    this.#sheet.add('num_preemptions_total', this.#info.engineIndex, 1);
  }

  #tokens(stamp: Stamp | undefined, nowMs: number): void {
    const { engineIndex, arrivalMs } = this.#info;
    if (stamp === undefined) this.#sheet.odd('interTokenLatencySeconds');
    if (!this.#hasToken) {
      this.#hasToken = true;
      this.#prefill ??= computedHere(this.#length());
      countPrompt(this.#sheet, engineIndex, this.#length(), this.#prefill);
      this.#observe('time_to_first_token_seconds', Math.max(0, (nowMs - arrivalMs) / 1000));
      this.#first = stamp;
    } else {
      const gap = this.#between(this.#last, stamp, 'interTokenLatencySeconds');
      this.#observe('inter_token_latency_seconds', gap ?? 0);
    }
    if (stamp !== undefined) this.#last = stamp;
  }

  #finish(reason: FinishReason, stamp: Stamp | undefined, nowMs: number): void {
    if (!this.#hasToken && this.#prefill) {
      this.#isPooled = true;
      this.#first = this.#last = stamp;
      if (stamp === undefined) this.#sheet.odd('requestPrefillTimeSeconds');
    }
    if (!REASONS.includes(reason)) this.#sheet.odd('finishReason');
    this.end(REASONS.includes(reason) ? reason : 'error', nowMs);
  }

  end(reason: FinishReason, nowMs: number): void {
    if (this.ended !== undefined) return;
    this.ended = reason;
    const { engineIndex, arrivalMs } = this.#info;
    this.#sheet.inFlight(engineIndex, -1);
    this.#sheet.add('request_success_total', engineIndex, 1, { finished_reason: reason });
    if (!this.#hasToken && this.#prefill)
      countPrompt(this.#sheet, engineIndex, this.#length(), this.#prefill);
    if (this.#corrupted) this.#sheet.add('corrupted_requests_total', engineIndex, 1);
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
    const queued = this.#between(this.#queued, this.#scheduled, 'requestQueueTimeSeconds');
    const prefill = this.#between(this.#scheduled, this.#first, 'requestPrefillTimeSeconds');
    const decode = this.#isPooled ? 0 : this.#between(this.#first, this.#last, 'requestDecodeTimeSeconds');
    const inference = this.#between(this.#scheduled, this.#last, 'requestInferenceTimeSeconds');
    const gaps = this.generated - 1;
    const perToken = decode === undefined ? undefined : gaps > 0 ? decode / gaps : 0;
    this.#interval('request_queue_time_seconds', queued);
    this.#interval('request_prefill_time_seconds', prefill);
    this.#interval('request_decode_time_seconds', decode);
    this.#interval('request_inference_time_seconds', inference);
    this.#interval('request_time_per_output_token_seconds', perToken);
  }

  /** Unknown if an end is missing or of another clock; 0 and odd if they are in the wrong order. */
  #between(start: Stamp | undefined, end: Stamp | undefined, source: string): number | undefined {
    if (start === undefined || end === undefined || start.clock !== end.clock) return undefined;
    if (end.time < start.time) this.#sheet.odd(source);
    return Math.max(0, end.time - start.time);
  }

  /** The engine's figure, else the request's own, else 0. */
  #length(): number {
    return this.#prefill?.length ?? this.#info.numPromptTokens ?? 0;
  }

  #interval(name: string, seconds: number | undefined): void {
    if (seconds !== undefined || !this.#info.omit) this.#observe(name, seconds ?? 0);
  }

  #observe(name: string, value: number): void {
    this.#sheet.observe(name, this.#info.engineIndex, value);
  }
}

/** The recording rules once more, as plainly as they can be written: what one request's outputs should have recorded. */
import type { EngineCoreOutput, FinishReason } from '../../src/index.js';
import type { EngineCounts, ModelCounts } from './counts.js';
import type { Plan } from './plan.js';
import { type Prefill, prefillOf } from './prefill.js';
import { countIntervals, countPrompt, countTerminal, longestOf } from './terminal.js';

const REASONS: readonly unknown[] = ['stop', 'length', 'abort', 'error', 'repetition'];

export class Observed {
  readonly plan: Plan;
  readonly engine: EngineCounts;
  readonly model: ModelCounts;
  /** False once the instance was disposed that records it: from then on nothing of it is on the page. */
  counted = true;
  ended = false;
  tokens = 0;
  lora: 'waiting' | 'running' | undefined;
  readonly arrival: number;
  readonly maxTokens: number | undefined;
  preemptions = 0;
  corrupted = false;
  prefill: Prefill | undefined;
  queued: number = Number.NaN;
  scheduled: number = Number.NaN;
  started = false;
  /** Ended by its engine after the prefill, without a token. */
  pooled = false;
  first: number = Number.NaN;
  last: number = Number.NaN;

  constructor(plan: Plan, model: ModelCounts, arrival: number, maxTokens: number | undefined) {
    this.plan = plan;
    this.model = model;
    this.engine = model.engine(plan.engineIndex);
    this.arrival = arrival;
    this.maxTokens = maxTokens;
    this.engine.revive();
    this.engine.inFlight++;
    this.lora = plan.loraName === undefined ? undefined : 'waiting';
  }

  /** Its instance was disposed. */
  forget(): void {
    if (this.counted && !this.ended) this.engine.inFlight--;
    this.counted = false;
  }

  output(output: EngineCoreOutput, timestamp: number, now: number): void {
    if (this.ended) return;
    const ids: unknown = output.newTokenIds;
    const numTokens = Array.isArray(ids) ? ids.length : 0;
    if (!Array.isArray(ids)) this.odd('newTokenIds');
    const nans = output.numNansInLogits ?? 0;
    if (nans > 0) this.corrupted = true;
    else if (nans !== 0) this.odd('numNansInLogits');
    if (output.prefillStats !== undefined)
      this.prefill ??= prefillOf(output.prefillStats, this.plan.numPromptTokens, (source) =>
        this.odd(source),
      );
    this.tokens += numTokens;
    if (this.counted) this.engine.counters['generation_tokens_total'] += numTokens;
    if (output.events !== undefined) this.#events(output.events);
    if (numTokens > 0) this.#stamp(timestamp, now);
    if (output.finishReason !== undefined) this.#endPrefill(timestamp);
    if (output.finishReason !== undefined) this.#finish(output.finishReason as FinishReason, now);
  }

  end(reason: FinishReason, now: number): void {
    if (this.ended) return;
    this.ended = true;
    this.lora = undefined;
    const longest = longestOf(this);
    if (!this.counted) return;
    this.engine.inFlight--;
    this.model.ended++;
    this.engine.success(reason);
    countTerminal(this, longest);
    countIntervals(this, now);
  }

  #finish(reason: FinishReason, now: number): void {
    if (!REASONS.includes(reason)) this.odd('finishReason');
    this.end(REASONS.includes(reason) ? reason : 'error', now);
  }

  #events(events: unknown): void {
    if (!Array.isArray(events)) {
      this.odd('events');
      return;
    }
    for (const { type, timestamp } of events) {
      if (type === 'preempted') this.#preempted();
      else if (type !== 'queued' && type !== 'scheduled') this.odd('type');
      else if (Number.isNaN(this.scheduled)) {
        if (!Number.isFinite(timestamp)) this.odd('events.timestamp');
        if (type === 'queued') this.queued = timestamp;
        else this.scheduled = timestamp;
      }
      if (type === 'scheduled' && this.lora !== undefined) this.lora = 'running';
    }
  }

  #preempted(): void {
    this.preemptions++;
    if (this.counted) this.engine.counters['num_preemptions_total']++;
    if (this.lora !== undefined) this.lora = 'waiting';
  }

  #stamp(timestamp: number, now: number): void {
    const usable = Number.isFinite(timestamp);
    if (!usable) this.odd('interTokenLatencySeconds');
    if (!this.started) {
      this.started = true;
      if (usable) this.first = this.last = timestamp;
      if (this.counted) this.#prompt(now);
      return;
    }
    const elapsed = timestamp - this.last;
    if (elapsed < 0) this.odd('interTokenLatencySeconds');
    if (this.counted) this.engine.histograms['inter_token_latency_seconds'].add(Math.max(0, elapsed || 0));
    if (usable) this.last = timestamp;
  }

  #endPrefill(timestamp: number): void {
    if (this.started || this.prefill === undefined) return;
    this.pooled = true;
    if (Number.isFinite(timestamp)) this.first = this.last = timestamp;
    else this.odd('requestPrefillTimeSeconds');
  }

  #prompt(now: number): void {
    const plain = { total: this.plan.numPromptTokens, computed: this.plan.numPromptTokens };
    this.prefill ??= { ...plain, local: 0, external: 0, hasParts: true };
    countPrompt(this);
    this.engine.histograms['time_to_first_token_seconds'].add(now - this.arrival);
  }

  odd(source: string): void {
    if (this.counted) this.model.report(source);
  }
}

import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { EngineCoreStreamOutput } from '../../engine-core/engine-core-outputs.js';
import { isFinishReason, unsubscribeReasonOf } from './request-info.js';
import {
  applyEvents,
  countTokens,
  endPrefill,
  followClock,
  keepPrefill,
  stampTokens,
  watchNans,
} from './request-outputs.js';
import { RequestState } from './request-state.js';
import { recordTerminal } from './request-terminal.js';
import { lastTokenIsCurrent } from './stamp-clocks.js';

/**
 * Records one request: its outputs as they pass, and one terminal record with the first of finish reason, error,
 * completion and unsubscribe. Total: whatever an engine sends, nothing is thrown that the caller did not hand in.
 * @see rust/src/metrics request tracker; vllm/v1/metrics/stats.py `IterationStats.update_from_output`
 */
export class RequestRecorder extends RequestState {
  /**
   * Records an output. False once the request has ended: its later outputs change nothing.
   * One gate of field tests leads the usual output, a token in mid-generation, past everything else; `lastTokenTs`
   * is NaN before the first token and after the end, and keeps those out of it.
   */
  next(value: EngineCoreStreamOutput): boolean {
    const { output, timestamp, engineIndex } = value;
    const { newTokenIds } = output;
    const elapsed = timestamp - this.lastTokenTs;
    if (
      elapsed >= 0 &&
      elapsed <= 1e200 && // LARGEST, which as an import is loaded at each output: 0.4 ns
      engineIndex === this.fastClock &&
      !this.context.disposed &&
      typeof timestamp === 'number' &&
      newTokenIds !== undefined &&
      newTokenIds !== null &&
      newTokenIds.length > 0 &&
      (newTokenIds.length | 0) === newTokenIds.length && // of a proxy it may be anything: infinite, a text
      (newTokenIds.constructor as unknown) === Array && // token-count.ts has the whole rule; 1.2 ns less than `isArray`
      (output.finishReason === undefined || output.finishReason === null) &&
      (output.events === undefined || output.events === null) &&
      (output.numNansInLogits === 0 ||
        output.numNansInLogits === undefined ||
        output.numNansInLogits === null)
    ) {
      const numTokens = newTokenIds.length;
      this.numGenerationTokens += numTokens;
      this.generationSlab[this.generationAt]! += numTokens;
      const slab = this.latencySlab;
      slab[this.latencyAt + this.latencyBuckets.find(elapsed)]! += 1;
      slab[this.latencySumAt]! += elapsed;
      this.lastTokenTs = timestamp;
      return true;
    }
    if (!this.settled) this.#unusual(value);
    return !this.settled;
  }

  /** A recording failed: a getter that throws, a broken handle. An output that ended the request still ends it. */
  failed(value: EngineCoreStreamOutput, error: unknown): void {
    this.recording = false;
    let reason: unknown;
    try {
      const { output, timestamp } = value;
      if (typeof timestamp === 'bigint' || typeof timestamp === 'symbol') {
        if (!this.settled) this.#unusual(value); // nothing is recorded yet: the subtraction threw
        return;
      }
      reason = output.finishReason;
    } catch {
      this.recording = false; // unreadable: the stream's own end decides
    }
    this.report('recording', 'expected to record an output, recorded a part of it', error);
    if (reason !== undefined && reason !== null) this.settle(this.#reasonOf(reason));
    else if (this.pending !== undefined) this.settle(this.pending);
  }

  error(): void {
    this.settle('error');
  }

  /** The source ended without a finish reason: a `takeUntil` upstream is a cancel. */
  complete(): void {
    this.settle('abort');
  }

  unsubscribe(): void {
    if (!this.settled) this.settle(unsubscribeReasonOf(this.plan, this));
  }

  /**
   * Writes the terminal record, once. In-flight and LoRA state come first: they hold even if a handle is broken. An end
   * that comes while an output is being recorded (a diagnostic's callback may unsubscribe) waits for the rest of it.
   */
  settle(reason: FinishReason): void {
    if (this.settled) return;
    if (this.recording) {
      this.pending ??= reason;
      return;
    }
    this.settled = true;
    const { lastTokenTs } = this;
    this.lastTokenTs = Number.NaN;
    try {
      this.engine.requestEnded();
      this.moveLora(undefined);
      recordTerminal(this, reason, lastTokenTs);
    } catch (error) {
      this.report('recording', 'expected to write the terminal record, wrote a part of it', error);
    }
  }

  #unusual(value: EngineCoreStreamOutput): void {
    // True for an output sent by a callback while another is being recorded, which then settles for both.
    const isNested = this.recording;
    this.recording = true;
    const reason = this.#record(value) ?? this.pending;
    this.recording = isNested;
    if (reason !== undefined) this.settle(reason);
  }

  /**
   * Gives the reason if the output is final. What is rare is asked here, not in the function it calls: V8 inlines only so
   * much, and a request's last output takes 30 ns more if the observation of its latency is not among it.
   */
  #record({ output, timestamp, engineIndex }: EngineCoreStreamOutput): FinishReason | undefined {
    const { prefillStats, events, finishReason, numNansInLogits } = output;
    if (engineIndex !== this.fastClock) followClock(this, engineIndex);
    const numTokens = countTokens(this, output);
    if (numNansInLogits !== undefined && numNansInLogits !== null && numNansInLogits !== 0)
      watchNans(this, numNansInLogits);
    if (prefillStats !== undefined && prefillStats !== null) keepPrefill(this, prefillStats);
    if (numTokens > 0) {
      this.numGenerationTokens += numTokens;
      this.engine.metrics.generationTokens.add(numTokens);
    }
    if (events !== undefined && events !== null) applyEvents(this, events);
    if (numTokens > 0) stampTokens(this, timestamp);
    if (this.clocks !== undefined) this.fastClock = lastTokenIsCurrent(this) ? this.clocks.current : -1;
    if (finishReason === undefined || finishReason === null) return undefined;
    if (this.prefilling) endPrefill(this, timestamp);
    return this.#reasonOf(finishReason);
  }

  #reasonOf(reason: unknown): FinishReason {
    if (isFinishReason(reason)) return reason;
    this.report('finishReason', 'expected a finish reason, took error', reason);
    return 'error';
  }
}

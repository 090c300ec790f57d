import { isRecordable } from '../../metric/handle.js';
import type { TokenSource } from '../recording-context.js';
import { cachedPrefill } from './prefill.js';
import { checkedInterval } from './request-durations.js';
import type { RequestUsage } from './request-handle.js';
import { stampTokens } from './request-outputs.js';
import { RequestRecorder } from './request-recorder.js';
import type { ToldFacts } from './request-state.js';
import { countPrompt } from './request-terminal.js';

/** A recorder that is told of counts, not of an engine's outputs. The operator's path is as it was. */
export class HandleRecorder extends RequestRecorder {
  /** Tokens that came together. Usual ones, in mid-generation, take the same gate as an engine's outputs. */
  tokens(count: number, timestamp: number, source: TokenSource): void {
    if (this.settled || this.context.disposed) return;
    if (!Number.isSafeInteger(count) || count < 0) {
      this.report('tokens', 'expected a whole number of at least 0, counted none', count);
      return;
    }
    if (count === 0) return;
    this.countedBy(source);
    const elapsed = typeof timestamp === 'number' ? timestamp - this.lastTokenTs : Number.NaN; // a bigint throws
    this.numGenerationTokens += count;
    this.generationSlab[this.generationAt]! += count;
    if (isRecordable(elapsed)) {
      const slab = this.latencySlab;
      slab[this.latencyAt + this.latencyBuckets.find(elapsed)]! += 1;
      slab[this.latencySumAt]! += elapsed;
      this.lastTokenTs = timestamp;
      return;
    }
    // A diagnostic's callback may end the request, or tell of further tokens: the rest of this comes first.
    const isNested = this.recording;
    this.recording = true;
    try {
      stampTokens(this, timestamp);
    } catch (error) {
      this.report('recording', 'expected to record tokens, recorded a part of it', error); // a broken handle
    }
    this.recording = isNested;
    if (!isNested && this.pending !== undefined) this.settle(this.pending);
  }

  usage({ promptTokens, cachedTokens, completionTokens, timings }: RequestUsage): void {
    if (this.settled || this.context.disposed) return;
    const prompt = this.#count('usage.promptTokens', promptTokens);
    const cached = this.#count('usage.cachedTokens', cachedTokens);
    if (prompt !== undefined || cached !== undefined) this.#correctPrompt(prompt, cached);
    const completion = this.#count('usage.completionTokens', completionTokens);
    if (completion !== undefined) this.#correctCompletion(completion);
    if (timings !== undefined) this.#facts().engineTimings = timings;
  }

  /** Places tokens without a stamp of their own between two, in seconds of the frontend's clock. */
  span(first: number, last: number): void {
    if (this.settled || !this.prefilling || this.context.disposed) return;
    this.prefilling = false;
    this.prefill ??= cachedPrefill(this.numPromptTokens, 0);
    countPrompt(this);
    this.timeToFirstToken = checkedInterval(this, 'timeToFirstTokenSeconds', first - this.arrivalMs / 1000);
    this.engine.metrics.timeToFirstTokenSeconds.observe(this.timeToFirstToken);
    this.firstTokenTs = first;
    this.lastTokenTs = last;
  }

  /** How its tokens are counted from now on. */
  countedBy(source: TokenSource): void {
    this.#facts().tokenSource = source;
  }

  #facts(): ToldFacts {
    this.told ??= { tokenSource: 'token_ids', engineTimings: undefined };
    return this.told;
  }

  /** A prompt that was counted already only grows, and so do the parts of it that were cached. */
  #correctPrompt(prompt: number | undefined, cached: number | undefined): void {
    const known = this.prefill;
    const before = known?.numPromptTokens ?? 0;
    const total = this.prefilling ? (prompt ?? this.numPromptTokens) : Math.max(before, prompt ?? 0);
    const part = Math.min(total, cached ?? known?.numCachedTokens ?? 0);
    const wasPart = known?.numCachedTokens ?? 0;
    this.prefill = cachedPrefill(total, this.prefilling ? part : Math.max(wasPart, part));
    if (this.prefilling) return; // counted with the first token, or at the end
    const { promptTokens, promptTokensCached, promptTokensBySource } = this.engine.metrics;
    const more = total - before;
    const moreCached = Math.max(0, part - wasPart);
    promptTokens.add(more);
    promptTokensCached.add(moreCached);
    promptTokensBySource.localCacheHit.add(Math.min(more, moreCached));
    promptTokensBySource.localCompute.add(more - Math.min(more, moreCached));
  }

  #correctCompletion(completion: number): void {
    const more = completion - this.numGenerationTokens;
    if (more < 0) return;
    this.countedBy('usage');
    this.numGenerationTokens = completion;
    this.generationSlab[this.generationAt]! += more;
  }

  #count(
    source: 'usage.promptTokens' | 'usage.cachedTokens' | 'usage.completionTokens',
    value: unknown,
  ): number | undefined {
    if (value === undefined || value === null) return undefined;
    if (Number.isSafeInteger(value) && isRecordable(value)) return value;
    this.report(source, 'expected a whole number of at least 0, ignored it', value);
    return undefined;
  }
}

import { MODEL_NAME } from '../../run/replay.js';
import { ApiError } from '../api-error.js';
import type { ChoiceEvent } from './choice.js';
import type { Generation } from './generation.js';
import type { GenerationRequest } from './generation-request.js';
import type { ResponseFormat } from './response-format.js';
import { type TimingMetrics, timingOf } from './timing.js';

interface Usage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

/** Counts what a generation came to, and writes it as the client reads it. */
export class Answer {
  readonly #generation: Generation;
  readonly #request: GenerationRequest;
  readonly #format: ResponseFormat;
  readonly #created: number = Math.floor(Date.now() / 1000);
  readonly #texts: string[];
  readonly #reasons: (string | null)[];
  #numTokens = 0;
  #metrics: TimingMetrics | null = null;

  constructor(generation: Generation, request: GenerationRequest, format: ResponseFormat) {
    this.#generation = generation;
    this.#request = request;
    this.#format = format;
    this.#texts = new Array<string>(generation.numChoices).fill('');
    this.#reasons = new Array<string | null>(generation.numChoices).fill(null);
  }

  /** @throws {ApiError} 500 if the choice has failed. */
  add({ index, text, numTokens, finishReason, stats, error }: ChoiceEvent): void {
    if (error !== undefined) throw failureOf(error);
    this.#numTokens += numTokens;
    this.#texts[index] += text;
    if (finishReason !== undefined) this.#reasons[index] = finishReason;
    // As upstream: the times are of one stream of tokens, so they are none of several.
    if (stats !== undefined && this.#generation.numChoices === 1) this.#metrics = timingOf(stats);
  }

  /** The whole of it, without a stream. */
  toJSON(): object {
    const { object, whole } = this.#format;
    const choices = this.#texts.map((text, i) => whole(i, text, this.#reasons[i] ?? null));
    return { ...this.#head(object), choices, usage: this.#usage, ...this.#timing };
  }

  /** What opens the stream of each choice. */
  openings(): object[] {
    const { opening } = this.#format;
    return this.#texts.flatMap((_, i) => this.#chunk(opening(i)));
  }

  chunks({ index, text, finishReason }: ChoiceEvent): object[] {
    if (text === '' && finishReason === undefined) return []; // held back
    return this.#chunk(this.#format.piece(index, text, finishReason ?? null));
  }

  /** After the last choice has ended. */
  closing(): object[] {
    if (!this.#request.includeUsage) return [];
    const usage = this.#usage;
    return [{ ...this.#head(this.#format.chunkObject), choices: [], usage, ...this.#timing }];
  }

  #chunk(choice: object | undefined): object[] {
    if (choice === undefined) return [];
    const head = this.#head(this.#format.chunkObject);
    return [{ ...head, choices: [choice], ...(this.#request.includeUsage && { usage: null }) }];
  }

  #head(object: string): object {
    return { id: this.#generation.id, object, created: this.#created, model: MODEL_NAME };
  }

  get #usage(): Usage {
    const { numPromptTokens } = this.#generation;
    const completion = this.#numTokens;
    return {
      prompt_tokens: numPromptTokens,
      completion_tokens: completion,
      total_tokens: numPromptTokens + completion,
    };
  }

  get #timing(): object {
    return this.#request.includeMetrics ? { metrics: this.#metrics } : {};
  }
}

/** Why an engine gave no answer, or no end of one. */
export function failureOf(error: unknown): ApiError {
  const cause = (error as { readonly cause?: unknown }).cause;
  const { message } = cause instanceof Error ? cause : (error as Error);
  return new ApiError(500, message, { code: 'engine_error' });
}

import { randomUUID } from 'node:crypto';
import { merge, type Observable } from 'rxjs';
import { mix } from '../../fleet/token-ids.js';
import { ApiError } from '../api-error.js';
import type { LiveServing } from '../live-serving.js';
import { type ChoiceEvent, type ChoicePlan, choiceOf } from './choice.js';
import type { GenerationRequest } from './generation-request.js';
import { seedOf } from './tokens.js';

/** Answers end by themselves after 20 to 219 tokens. */
const SHORTEST_ANSWER = 20;
const NUM_LENGTHS = 200;

/** What a request has been taken in as. */
export interface Generation {
  readonly id: string;
  readonly numPromptTokens: number;
  readonly numChoices: number;
  /** All choices together; one that is unsubscribed early is an abort of each that has not ended. */
  readonly events: Observable<ChoiceEvent>;
}

/** Takes a request in. Nothing is recorded of one that is refused. @throws {ApiError} 400, 429, 503 */
export function generate(
  serving: LiveServing,
  request: GenerationRequest,
  idPrefix: string,
  arrivalTimeMs: number,
): Generation {
  const { prompts, n } = request;
  for (const prompt of prompts) checkLength(prompt.length, request.maxTokens, serving.maxModelLen);
  checkAdmission(serving, prompts.length * n);
  const id = `${idPrefix}-${randomUUID().replaceAll('-', '')}`;
  const plans = prompts.flatMap((prompt, i) =>
    plansOf(serving, request, prompt, `${id}-${i}`, i * n, arrivalTimeMs),
  );
  return {
    id,
    numPromptTokens: prompts.reduce((sum, prompt) => sum + prompt.length, 0),
    numChoices: plans.length,
    // An engine each, chosen now; nothing has come between this and the check.
    events: merge(...plans.map((plan) => choiceOf(serving, plan, serving.fleet.pick()!))),
  };
}

function plansOf(
  serving: LiveServing,
  { n, maxTokens, stops, seed }: GenerationRequest,
  prompt: readonly number[],
  id: string,
  firstIndex: number,
  arrivalTimeMs: number,
): ChoicePlan[] {
  const room = serving.maxModelLen - prompt.length;
  const parent = n > 1 ? serving.metrics.parallelSampling(n) : undefined;
  return Array.from({ length: n }, (_, i) => {
    const choiceSeed = mix(mix(seedOf(prompt), seed), i);
    const numOutputTokens = SHORTEST_ANSWER + (choiceSeed % NUM_LENGTHS);
    return {
      index: firstIndex + i,
      requestId: `${id}-${i}`,
      prompt,
      maxTokens: maxTokens ?? (serving.fleet.endsAnswers ? room : Math.min(room, numOutputTokens)),
      numOutputTokens,
      seed: choiceSeed,
      stops,
      arrivalTimeMs,
      n,
      parent,
    };
  });
}

function checkLength(numPromptTokens: number, maxTokens: number | undefined, maxModelLen: number): void {
  if (numPromptTokens + (maxTokens ?? 1) <= maxModelLen) return;
  const asked = maxTokens === undefined ? '' : ` and ${maxTokens} tokens of answer`;
  const message = `The model has room for ${maxModelLen} tokens, the request has ${numPromptTokens} of prompt${asked}`;
  throw new ApiError(400, message, { code: 'context_length_exceeded' });
}

function checkAdmission(serving: LiveServing, numChoices: number): void {
  const refusal = serving.refusal(numChoices);
  if (refusal === undefined) return;
  const headers = { 'retry-after': '1' };
  if (refusal === 'no engine') throw new ApiError(503, 'No engine is running', { headers });
  throw new ApiError(429, 'Too many requests are waiting', { code: 'queue_full', headers });
}

/** Events of chat completions and completions. */

import type { TokenSource } from '../../serving/recording-context.js';
import type { RequestUsage } from '../../serving/request/request-handle.js';
import type { Answer } from './answer.js';
import type { AnswerChoice } from './answer-choice.js';
import { finishReasonOf } from './finish-reasons.js';
import { type JsonObject, listOf, objectOf } from './json.js';
import { usageIn } from './usage-fields.js';

/** The tokens an event brings to a choice, and how they were counted. */
interface EventTokens {
  readonly count: number;
  readonly source: TokenSource;
}

/** Where a delta may hold what the model made: text, thoughts, calls, a refusal. */
const MADE = ['content', 'reasoning_content', 'reasoning', 'tool_calls', 'refusal', 'function_call', 'audio'];

export function readChatEvent(answer: Answer, event: JsonObject): void {
  const choices = listOf(event['choices']);
  const usage = usageIn(event, (value) =>
    answer.handle.report('usage', 'expected a count of tokens, ignored it', value),
  );
  const own = usage !== undefined && choices.length === 1 && isOwn(answer, objectOf(choices[0])) && usage;
  for (const value of choices) {
    const raw = objectOf(value);
    const choice = raw && answer.choice(raw['index']);
    if (choice !== undefined) readChoice(answer, choice, raw!, event, own || undefined);
  }
  if (usage === undefined || own) return;
  if (choices.length > 0) answer.reportAll(usage);
  else answer.report(usage);
}

/** A usage beside one choice is that choice's; but LiteLLM puts everyone's beside a choice that has ended. */
function isOwn(answer: Answer, raw: JsonObject | undefined): boolean {
  return raw !== undefined && answer.choice(raw['index'])?.reason === undefined;
}

function readChoice(
  answer: Answer,
  choice: AnswerChoice,
  raw: JsonObject,
  event: JsonObject,
  usage: RequestUsage | undefined,
): void {
  const finish = raw['finish_reason'];
  const finishes = finish !== undefined && finish !== null;
  const prompt = listOf(event['prompt_token_ids'] ?? raw['prompt_token_ids']);
  if (prompt.length > 0 && choice.usage?.promptTokens === undefined)
    choice.report({ promptTokens: prompt.length });
  if (usage !== undefined) {
    // A first usage beside the end is the final one: the differences of one that grows are tokens of their event.
    choice.isContinuous ||= !finishes;
    choice.report(usage);
  }
  const { count, source } = tokensOf(choice, raw, usage);
  if (count > 0) choice.tokens(count, answer.time, source);
  else if (event['prompt_progress'] === undefined) choice.opened(answer.time);
  if (!finishes) return;
  choice.finish(finishReasonOf(finish, answer.finishReasons), answer.time, count === 0);
  answer.finished(choice);
}

function tokensOf(choice: AnswerChoice, raw: JsonObject, usage: RequestUsage | undefined): EventTokens {
  const { completionTokens } = usage ?? {};
  if (choice.isContinuous && completionTokens !== undefined)
    return { count: Math.max(0, completionTokens - choice.counted), source: 'chunks' };
  const exact = listOf(raw['token_ids']).length || numLogprobs(choice, raw);
  if (exact > 0) return { count: exact, source: 'token_ids' };
  return { count: isTextful(raw) ? 1 : 0, source: 'chunks' };
}

/** One entry a token. Those of a completion's first event may be the prompt's, echoed. */
function numLogprobs(choice: AnswerChoice, raw: JsonObject): number {
  const logprobs = objectOf(raw['logprobs']);
  if (logprobs === undefined) return 0;
  const chat = listOf(logprobs['content']).length + listOf(logprobs['refusal']).length;
  if (chat > 0) return chat;
  const { length } = listOf(logprobs['tokens']);
  return choice.counted === 0 ? Math.min(1, length) : length;
}

function isTextful(raw: JsonObject): boolean {
  if (isMade(raw['text'])) return true;
  const delta = objectOf(raw['delta']);
  if (delta === undefined) return false;
  for (const name of MADE) if (isMade(delta[name])) return true;
  return false;
}

/** A text or a list that is not empty, or an object. */
function isMade(value: unknown): boolean {
  if (typeof value === 'string' || Array.isArray(value)) return value.length > 0;
  return typeof value === 'object' && value !== null;
}

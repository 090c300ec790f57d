/** Answers that do not stream. */

import type { Answer } from './answer.js';
import { finishReasonOf } from './finish-reasons.js';
import { type JsonObject, listOf, objectOf } from './json.js';
import { readResponse } from './response-events.js';
import { usageIn } from './usage-fields.js';

/** Reads an answer and writes its records. None of its tokens has a time, so none makes a sample of one. */
export function readWholeAnswer(answer: Answer, json: unknown): void {
  const body = objectOf(json);
  if (body === undefined || Array.isArray(body) || isError(body)) {
    answer.fail();
    return;
  }
  if (Array.isArray(body['choices'])) readChoices(answer, body, body['choices']);
  else if (Array.isArray(body['output'])) readResponse(answer, body, 'completed');
  else if (!readPooled(answer, body))
    answer.handle.report('answer', 'expected choices, output or data, took stop', json);
  answer.settle('stop');
}

/** Truthy, as clients read it: servers send `error: null` beside a result. */
export function isError(body: JsonObject): boolean {
  return Boolean(body['error']);
}

function readChoices(answer: Answer, body: JsonObject, choices: readonly unknown[]): void {
  for (const value of choices) {
    const raw = objectOf(value);
    const choice = raw && answer.choice(raw['index']);
    if (choice === undefined) continue;
    const numTokens = listOf(raw!['token_ids']).length;
    if (numTokens > 0) choice.report({ completionTokens: numTokens });
    const finish = raw!['finish_reason'];
    if (finish === undefined || finish === null) continue;
    choice.finish(finishReasonOf(finish, answer.finishReasons), answer.time, true);
  }
  answer.total = usageOf(answer, body);
}

/** Embeddings, scores and rankings: a prompt, and no token. */
function readPooled(answer: Answer, body: JsonObject): boolean {
  if (!Array.isArray(body['data']) && !Array.isArray(body['results'])) return false;
  answer.choice(0)?.finish('stop', answer.time, true);
  answer.total = usageOf(answer, body);
  return true;
}

function usageOf(answer: Answer, body: JsonObject): ReturnType<typeof usageIn> {
  return usageIn(body, (value) =>
    answer.handle.report('usage', 'expected a count of tokens, ignored it', value),
  );
}

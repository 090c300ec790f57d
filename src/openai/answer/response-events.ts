/** Events of the Responses API: one sequence, typed events, its usage with the last of them. */

import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { Answer } from './answer.js';
import { finishReasonOf } from './finish-reasons.js';
import { type JsonObject, objectOf } from './json.js';
import { usageIn } from './usage-fields.js';

export function readResponseEvent(answer: Answer, type: string, event: JsonObject): void {
  const choice = answer.choice(0);
  if (choice === undefined) return;
  if (type.endsWith('.delta')) {
    if (typeof event['delta'] === 'string' && event['delta'] !== '') choice.tokens(1, answer.time, 'chunks');
    return;
  }
  switch (type) {
    case 'response.output_item.added': // the first event that vLLM holds back until there is a token
      choice.opened(answer.time);
      return;
    case 'response.completed':
    case 'response.incomplete':
    case 'response.failed':
    case 'response.cancelled':
      readResponse(answer, objectOf(event['response']) ?? {}, type.slice('response.'.length));
      answer.settle('stop');
  }
}

/** A response as a whole; `status` is what its event says, for servers that leave the field out. */
export function readResponse(answer: Answer, response: JsonObject, status: unknown): void {
  const choice = answer.choice(0);
  if (choice === undefined) return;
  const usage = usageIn(response, (value) =>
    answer.handle.report('usage', 'expected a count of tokens, ignored it', value),
  );
  if (usage !== undefined) answer.total = usage;
  choice.finish(reasonOf(answer, response, status), answer.time, true);
  answer.finished(choice);
}

/** vLLM says `response.completed` of an answer that was cut; its status says `incomplete`. */
function reasonOf(answer: Answer, response: JsonObject, fallback: unknown): FinishReason {
  const status = response['status'] ?? fallback;
  const text =
    status === 'incomplete'
      ? (objectOf(response['incomplete_details'])?.['reason'] ?? 'max_output_tokens')
      : status;
  return finishReasonOf(text, answer.finishReasons);
}

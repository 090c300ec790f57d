import type { FinishReason } from '../../engine-core/engine-core-event.js';

/** Further texts of servers, or other meanings for those known: `{ content_filter: 'error' }`. */
export type FinishReasonMap = Readonly<Record<string, FinishReason>>;

/**
 * What servers call an end. vLLM counts tool calls as `stop`; so does this. TGI's, Mistral's and the Responses API's
 * words stand beside OpenAI's.
 */
const KNOWN: ReadonlyMap<unknown, FinishReason> = new Map<unknown, FinishReason>([
  ['stop', 'stop'],
  ['tool_calls', 'stop'],
  ['function_call', 'stop'],
  ['content_filter', 'stop'],
  ['eos_token', 'stop'],
  ['stop_sequence', 'stop'],
  ['completed', 'stop'],
  ['length', 'length'],
  ['model_length', 'length'],
  ['max_tokens', 'length'],
  ['max_output_tokens', 'length'],
  ['abort', 'abort'],
  ['cancelled', 'abort'],
  ['error', 'error'],
  ['failed', 'error'],
  ['repetition', 'repetition'],
]);

/** The finish reason of a server's text. One that nobody knows goes on as it is: the recorder judges and reports it. */
export function finishReasonOf(text: unknown, map: FinishReasonMap | undefined): FinishReason {
  if (map !== undefined && typeof text === 'string' && Object.hasOwn(map, text)) return map[text]!;
  // The cast hands the recorder what it is there to judge.
  return KNOWN.get(text) ?? (text as FinishReason);
}

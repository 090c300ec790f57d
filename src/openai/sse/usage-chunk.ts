import { listOf, objectOf } from '../answer/json.js';

/**
 * True for the event that only `stream_options.include_usage` brings: a usage, and no choice that says anything.
 * OpenAI's and vLLM's has an empty list of choices; LiteLLM's has one with an empty delta.
 */
export function isUsageEvent(data: string): boolean {
  if (!data.includes('"usage"')) return false; // of most events the text says it, without a second parse
  try {
    const event = objectOf(JSON.parse(data));
    if (event === undefined || objectOf(event['usage']) === undefined) return false;
    return Array.isArray(event['choices']) && listOf(event['choices']).every(isSilent);
  } catch {
    return false;
  }
}

function isSilent(value: unknown): boolean {
  const choice = objectOf(value);
  const delta = objectOf(choice?.['delta']);
  return (
    delta !== undefined &&
    Object.keys(delta).length === 0 &&
    (choice!['finish_reason'] === undefined || choice!['finish_reason'] === null)
  );
}

import { ApiError, badField } from '../api-error.js';
import { isObject, isText, type JsonBody } from '../json-body.js';
import { tokenize } from './tokens.js';

/** What a client asks for, whichever of the two endpoints it asks. */
export interface GenerationRequest {
  /** Token ids; several prompts are answered in one response. */
  readonly prompts: readonly (readonly number[])[];
  /** Answers to each prompt. */
  readonly n: number;
  /** In tokens; `undefined`: as many as the engine has room for. */
  readonly maxTokens: number | undefined;
  readonly stops: readonly string[];
  readonly stream: boolean;
  readonly includeUsage: boolean;
  readonly includeMetrics: boolean;
  readonly seed: number;
}

const MOST_CHOICES = 128;
const MOST_STOPS = 16;
const MOST_TOKENS = 2 ** 31;
/** OpenAI's default for completions, which vLLM took over; chats have none. */
const DEFAULT_MAX_TOKENS = 16;

/** @throws {ApiError} 400, 404 */
export function completionRequest(body: JsonBody, modelName: string): GenerationRequest {
  checkModel(body, modelName);
  const prompts = promptsOf(body.required('prompt', 'a text, a list of texts or of token ids', isPrompt));
  const maxTokens = body.whole('max_tokens', 1, MOST_TOKENS) ?? DEFAULT_MAX_TOKENS;
  return { ...commonFields(body), prompts, maxTokens };
}

/** @throws {ApiError} 400, 404 */
export function chatRequest(body: JsonBody, modelName: string): GenerationRequest {
  checkModel(body, modelName);
  const messages = body.required('messages', 'a list of at least one message', isMessageList);
  const newer = body.whole('max_completion_tokens', 1, MOST_TOKENS);
  const maxTokens = newer ?? body.whole('max_tokens', 1, MOST_TOKENS);
  const prompt = messages.flatMap((message, i) => messageTokens(message, `messages[${i}]`));
  return { ...commonFields(body), prompts: [[...prompt, ...tokenize('<assistant>')]], maxTokens };
}

/** Without a name it is the one that is served, as upstream. */
function checkModel(body: JsonBody, modelName: string): void {
  const model = body.optional('model', 'a text', isText) ?? modelName;
  const message = `The model ${JSON.stringify(model)} does not exist; this server has ${modelName}`;
  if (model !== modelName) throw new ApiError(404, message, { param: 'model', code: 'model_not_found' });
}

function commonFields(body: JsonBody): Omit<GenerationRequest, 'prompts' | 'maxTokens'> {
  const stream = body.flag('stream');
  const streamOptions = body.object('stream_options');
  if (streamOptions !== undefined && !stream)
    throw badField('stream_options', 'none without stream: true', 'some');
  body.number('temperature', 0, 2); // of no use here, but what is wrong with it shall show
  body.number('top_p', 0, 1);
  const stops = body.optional('stop', `a text or up to ${MOST_STOPS} texts, none empty`, isStop) ?? [];
  return {
    n: body.whole('n', 1, MOST_CHOICES) ?? 1,
    stops: isText(stops) ? [stops] : stops,
    stream,
    includeUsage: streamOptions?.flag('include_usage') ?? false,
    includeMetrics: body.flag('include_metrics'),
    seed: body.whole('seed', Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER) ?? 0,
  };
}

function isStop(value: unknown): value is string | string[] {
  const isOne = (text: unknown) => typeof text === 'string' && text !== '';
  return isOne(value) || (Array.isArray(value) && value.length <= MOST_STOPS && value.every(isOne));
}

type Prompt = string | number[] | string[] | number[][];

function isPrompt(value: unknown): value is Prompt {
  const isIds = (ids: unknown) => Array.isArray(ids) && ids.length > 0 && ids.every(isTokenId);
  if (!Array.isArray(value)) return typeof value === 'string' && value !== '';
  if (value.length === 0 || value.length > MOST_CHOICES) return isIds(value);
  return isIds(value) || value.every((text) => isText(text) && text !== '') || value.every(isIds);
}

function isTokenId(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function promptsOf(prompt: Prompt): number[][] {
  if (typeof prompt === 'string') return [tokenize(prompt)];
  if (typeof prompt[0] === 'number') return [prompt as number[]];
  // The check has seen that all members are of the first one's kind.
  return (prompt as (string | number[])[]).map((one) => (typeof one === 'string' ? tokenize(one) : one));
}

function isMessageList(value: unknown): value is Record<string, unknown>[] {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Role, text and an end, as chat templates write them. */
function messageTokens(message: Record<string, unknown>, place: string): number[] {
  const { role, content } = message;
  if (!isText(role)) throw badField(`${place}.role`, 'a text', JSON.stringify(role) ?? 'nothing');
  return [...tokenize(`<${role}>`), ...tokenize(contentText(content, `${place}.content`)), ...tokenize('\n')];
}

/** A message's text, whole or in parts; only a message that calls tools has none. */
function contentText(content: unknown, place: string): string {
  if (content === undefined || content === null) return '';
  if (isText(content)) return content;
  const isTextPart = (part: unknown) => isObject(part) && part['type'] === 'text' && isText(part['text']);
  if (Array.isArray(content) && content.every(isTextPart))
    return content.map((part: { readonly text: string }) => part.text).join('');
  throw badField(place, 'a text or a list of text parts', 'another value');
}

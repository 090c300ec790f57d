/** The two endpoints' responses differ in how a choice looks, whole or in pieces. */

/** `null` while a choice goes on. */
export type ShownReason = string | null;

export interface ResponseFormat {
  readonly idPrefix: string;
  readonly object: string;
  readonly chunkObject: string;
  /** What opens a choice's stream, before any text. */
  opening(index: number): object | undefined;
  piece(index: number, text: string, reason: ShownReason): object;
  whole(index: number, text: string, reason: ShownReason): object;
}

export const COMPLETION_FORMAT: ResponseFormat = {
  idPrefix: 'cmpl',
  object: 'text_completion',
  chunkObject: 'text_completion',
  opening: () => undefined,
  piece: completionChoice,
  whole: completionChoice,
};

export const CHAT_FORMAT: ResponseFormat = {
  idPrefix: 'chatcmpl',
  object: 'chat.completion',
  chunkObject: 'chat.completion.chunk',
  opening: (index) => chatPiece(index, { role: 'assistant', content: '' }, null),
  piece: (index, content, reason) => chatPiece(index, { content }, reason),
  whole: (index, content, reason) => ({
    index,
    message: { role: 'assistant', content, refusal: null },
    logprobs: null,
    finish_reason: reason,
  }),
};

function completionChoice(index: number, text: string, reason: ShownReason): object {
  return { index, text, logprobs: null, finish_reason: reason };
}

function chatPiece(index: number, delta: object, reason: ShownReason): object {
  return { index, delta, logprobs: null, finish_reason: reason };
}

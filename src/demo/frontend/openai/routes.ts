import type { Hono } from 'hono';
import { MODEL_NAME } from '../../run/replay.js';
import { ApiError } from '../api-error.js';
import { only } from '../http.js';
import { JsonBody } from '../json-body.js';
import type { LiveServing } from '../live-serving.js';
import { Answer } from './answer.js';
import { generate } from './generation.js';
import { chatRequest, completionRequest, type GenerationRequest } from './generation-request.js';
import { streamedResponse, wholeResponse } from './respond.js';
import { CHAT_FORMAT, COMPLETION_FORMAT, type ResponseFormat } from './response-format.js';

/** OpenAI's API under `/v1`, as far as text generation goes. */
export function openAiRoutes(app: Hono, serving: LiveServing): void {
  only(app, 'POST', '/v1/completions', ({ req }) =>
    respond(serving, req.raw, completionRequest, COMPLETION_FORMAT),
  );
  only(app, 'POST', '/v1/chat/completions', ({ req }) => respond(serving, req.raw, chatRequest, CHAT_FORMAT));
  const model = {
    id: MODEL_NAME,
    object: 'model',
    created: Math.floor(Date.now() / 1000),
    owned_by: 'rx-engine-metrics',
    max_model_len: serving.maxModelLen,
  };
  only(app, 'GET', '/v1/models', (c) => c.json({ object: 'list', data: [model] }));
  only(app, 'GET', '/v1/models/:id', (c) => {
    if (c.req.param('id') === MODEL_NAME) return c.json(model);
    throw new ApiError(404, `This server has ${MODEL_NAME}`, { param: 'model', code: 'model_not_found' });
  });
}

async function respond(
  serving: LiveServing,
  raw: Request,
  read: (body: JsonBody, modelName: string) => GenerationRequest,
  format: ResponseFormat,
): Promise<Response> {
  const arrivalTimeMs = Date.now();
  const hasLeft = raw.signal;
  const request = read(await JsonBody.of(raw), MODEL_NAME);
  if (hasLeft.aborted) throw new ApiError(400, 'The client has left');
  const generation = generate(serving, request, format.idPrefix, arrivalTimeMs);
  const answer = new Answer(generation, request, format);
  return request.stream ? streamedResponse(generation, answer) : wholeResponse(generation, answer, hasLeft);
}

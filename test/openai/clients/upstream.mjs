/**
 * An OpenAI-compatible server in a process of its own, that counts what it does. The model's name says how it answers;
 * the IPC channel tells its port, and its counts when asked.
 */
import { createServer } from 'node:http';

const PROMPT = 11;
const counts = { prompt: 0, tokens: 0, reasons: {}, abortedMs: [] };
const ended = (reason) => {
  counts.reasons[reason] = (counts.reasons[reason] ?? 0) + 1;
};
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const chunk = (choices, more = {}) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more })}\n\n`;

const usageOf = (tokens) => ({
  prompt_tokens: PROMPT,
  completion_tokens: tokens,
  total_tokens: PROMPT + tokens,
});

const CALL = [
  { index: 0, id: 'call_1', type: 'function', function: { name: 'weather', arguments: '' } },
  { index: 0, function: { arguments: '{"city":' } },
  { index: 0, function: { arguments: '"Oslo"}' } },
];

/** What is said, token by token, and the reason; `stop` has an end-of-sequence token that is in usage alone. */
const SCRIPTS = {
  plain: {
    deltas: ['The', ' quick', ' brown', ' fox'].map((content) => ({ content })),
    reason: 'stop',
    silent: 1,
  },
  cut: { deltas: ['one', ' two'].map((content) => ({ content })), reason: 'length', silent: 0 },
  tool: { deltas: CALL.map((call) => ({ tool_calls: [call] })), reason: 'tool_calls', silent: 1 },
  long: {
    deltas: Array.from({ length: 500 }, (_, i) => ({ content: ` ${i}` })),
    reason: 'length',
    silent: 0,
  },
};

async function stream(response, body, script) {
  const n = body.n ?? 1;
  let tokens = 0;
  for (let index = 0; index < n; index++)
    response.write(chunk([{ index, delta: { role: 'assistant', content: '' } }]));
  for (const delta of script.deltas) {
    await pause(2);
    if (response.destroyed) return;
    for (let index = 0; index < n; index++) {
      tokens++;
      counts.tokens++;
      response.write(chunk([{ index, delta, finish_reason: null }]));
    }
  }
  counts.tokens += script.silent * n;
  tokens += script.silent * n;
  for (let index = 0; index < n; index++) {
    ended(script.reason === 'tool_calls' ? 'stop' : script.reason);
    response.write(chunk([{ index, delta: {}, finish_reason: script.reason }]));
  }
  counts.prompt += PROMPT * n;
  if (body.stream_options?.include_usage) response.write(chunk([], { usage: usageOf(tokens) }));
  response.end('data: [DONE]\n\n');
}

function whole(response, script) {
  const tokens = script.deltas.length + script.silent;
  counts.prompt += PROMPT;
  counts.tokens += tokens;
  ended(script.reason);
  const message = { role: 'assistant', content: script.deltas.map(({ content }) => content).join('') };
  const answer = { choices: [{ index: 0, message, finish_reason: script.reason }], usage: usageOf(tokens) };
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ id: 'c', object: 'chat.completion', created: 1, model: 'm', ...answer }));
}

function answer(response, body) {
  if (body.model === '429') {
    ended('error');
    response.writeHead(429, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"slow down","type":"rate_limit"}}');
    return;
  }
  const { model } = body;
  if (!body.stream) return whole(response, SCRIPTS[model]);
  if (model !== 'hang-before-headers') {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  }
  if (model.startsWith('hang')) return;
  if (model === 'broken') {
    ended('error');
    response.end('data: {"error":{"message":"engine died","code":500}}\n\ndata: [DONE]\n\n');
    return;
  }
  void stream(response, body, SCRIPTS[model]);
}

const server = createServer(async (request, response) => {
  let text = '';
  for await (const piece of request) text += piece;
  response.on('close', () => {
    if (response.writableFinished) return;
    counts.abortedMs.push(Date.now());
    ended('abort');
  });
  answer(response, JSON.parse(text));
});

server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
process.on('message', () => process.send({ counts }));
process.on('disconnect', () => process.exit());

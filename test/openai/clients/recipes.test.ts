/** The recipes for frameworks: each records what happened, also when the client leaves. */
import 'reflect-metadata';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  type INestApplication,
  Module,
  type NestInterceptor,
  Sse,
  UseInterceptors,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import fastify, { type FastifyInstance } from 'fastify';
import { Registry } from 'prom-client';
import { concat, map, NEVER, type Observable, of } from 'rxjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type EngineCoreStreamOutput, ServingMetrics, withRequestMetrics } from '../../../src/index.js';
import { chat$, observeChat, observeFetch, requestInfoOf } from '../../../src/openai/index.js';
import { engineOutput, readSamples } from '../../../src/testing/index.js';

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
});

let registry: Registry;
let metrics: ServingMetrics;

beforeEach(() => {
  registry = new Registry();
  metrics = new ServingMetrics({ registry, modelName: 'm', profile: 'gateway' });
});

async function expectRecord(reason: string, tokens: number): Promise<void> {
  await vi.waitFor(async () => {
    const samples = await readSamples(registry);
    const of = (name: string, more = '') =>
      samples.get(`vllm:${name}{engine="0",${more}model_name="m"}`) ?? 0;
    expect(of('request_success_total', `finished_reason="${reason}",`)).toBe(1);
    expect(of('generation_tokens_total')).toBe(tokens);
  });
  expect(metrics.inFlight).toBe(0);
}

/** Two tokens, then an end or nothing more. */
async function* answer(hangs: boolean): AsyncGenerator<object> {
  yield chunk({ content: 'a' });
  yield chunk({ content: 'b' });
  if (hangs) await new Promise(() => {});
  yield chunk({}, 'stop');
}

describe('Fastify', () => {
  let upstream: Server;
  let app: FastifyInstance;
  let isAborted: boolean;
  let address: string;

  beforeEach(async () => {
    isAborted = false;
    upstream = createServer((request, response: ServerResponse) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.on('close', () => {
        isAborted = !response.writableFinished;
      });
      for (const content of ['a', 'b']) response.write(`data: ${JSON.stringify(chunk({ content }))}\n\n`);
      if (request.url === '/whole')
        response.end(`data: ${JSON.stringify(chunk({}, 'stop'))}\n\ndata: [DONE]\n\n`);
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const { port } = upstream.address() as { port: number };
    app = fastify({ forceCloseConnections: true });
    app.post('/:how', async (request, reply) => {
      const handle = metrics.startRequest(requestInfoOf(request.body));
      const left = new AbortController();
      reply.raw.once('close', () => left.abort());
      const url = `http://127.0.0.1:${port}/${(request.params as { how: string }).how}`;
      const body = JSON.stringify(request.body);
      return observeFetch(handle, (signal) => fetch(url, { method: 'POST', body, signal }), {
        signal: left.signal,
      });
    });
    address = await app.listen({ port: 0, host: '127.0.0.1' });
  });

  afterEach(async () => {
    upstream.closeAllConnections();
    upstream.close();
    await app.close();
  });

  const post = (path: string, signal?: AbortSignal) =>
    fetch(`${address}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"stream":true,"max_tokens":5}',
      ...(signal !== undefined && { signal }),
    });

  it('sends the answer on', async () => {
    const response = await post('whole');
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    expect(await response.text()).toContain('[DONE]');
    await expectRecord('stop', 2);
  });

  it('tells the upstream that the client left', async () => {
    const leave = new AbortController();
    const response = await post('hang', leave.signal);
    await response.body!.getReader().read();
    leave.abort();
    await expectRecord('abort', 2);
    await vi.waitFor(() => expect(isAborted).toBe(true));
  });
});

describe('a Node Readable', () => {
  it.each([
    ['read to its end', false, 'stop'],
    ['destroyed', true, 'abort'],
  ])('that is %s', async (_, hangs, reason) => {
    let signal: AbortSignal | undefined;
    const chunks = observeChat(metrics, {}, (given) => {
      signal = given;
      return answer(hangs);
    });
    const readable = Readable.from(chunks);
    let seen = 0;
    readable.on('data', () => seen++);
    if (hangs) {
      await vi.waitFor(() => expect(seen).toBe(2));
      readable.destroy();
    } else await once(readable, 'end');
    await expectRecord(reason, 2);
    expect(signal?.aborted).toBe(hangs);
  });
});

describe('NestJS', () => {
  let app: INestApplication;

  /** What decorators do, spelled as calls: the tests' compiler has none. */
  function route(controller: object, name: string, ...decorators: readonly MethodDecorator[]): void {
    const descriptor = Object.getOwnPropertyDescriptor(controller, name)!;
    for (const decorate of decorators) decorate(controller, name, descriptor);
    Object.defineProperty(controller, name, descriptor);
  }

  async function serving(controller: new () => object): Promise<string> {
    Controller()(controller);
    class App {}
    Module({ controllers: [controller] })(App);
    app = await NestFactory.create(App, { logger: false });
    await app.listen(0, '127.0.0.1');
    return app.getUrl();
  }

  afterEach(() => {
    app.getHttpServer().closeAllConnections();
    return app.close();
  });

  async function readUntil(url: string, text: string, leaves: boolean): Promise<void> {
    const leave = new AbortController();
    const response = await fetch(url, { signal: leave.signal });
    let seen = '';
    for await (const piece of response.body!) {
      seen += Buffer.from(piece).toString();
      if (seen.includes(text) && leaves) break;
    }
    leave.abort();
    expect(seen).toContain(text);
  }

  it.each([
    ['whose client stays', false, 'stop'],
    ['whose client leaves', true, 'abort'],
  ])('an SSE controller %s', async (_, hangs, reason) => {
    class Chat {
      chat(): Observable<object> {
        return chat$(metrics, {}, () => answer(hangs)).pipe(map((data) => ({ data })));
      }
    }
    route(Chat.prototype, 'chat', Sse('chat'));
    await readUntil(`${await serving(Chat)}/chat`, '"b"', hangs);
    await expectRecord(reason, 2);
  });

  it('an interceptor, which must name the engine: a handler’s stream has lost its tag', async () => {
    class Recorded implements NestInterceptor<EngineCoreStreamOutput> {
      intercept(_: ExecutionContext, next: CallHandler<EngineCoreStreamOutput>): Observable<object> {
        const outputs = next.handle().pipe(withRequestMetrics(metrics, { engineIndex: 0 }));
        return outputs.pipe(map(({ output }) => ({ data: { tokens: output.newTokenIds } })));
      }
    }
    class Generate {
      generate(): Observable<EngineCoreStreamOutput> {
        return concat(of(engineOutput(1, { timestamp: 1 }), engineOutput(2, { timestamp: 2 })), NEVER);
      }
    }
    route(Generate.prototype, 'generate', Sse('generate'), UseInterceptors(Recorded));
    await readUntil(`${await serving(Generate)}/generate`, '"tokens"', true);
    await expectRecord('abort', 3);
  });
});

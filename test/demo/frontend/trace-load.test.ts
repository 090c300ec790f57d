import { expect, it } from 'vitest';
import { statusLine } from '../../../src/demo/frontend/status-line.js';
import { eventually, startFrontend } from './rig.js';

it('asks a trace over and over, at the rate that it is set to', async () => {
  const server = await startFrontend({ load: 'trace', speed: 100 }); // of a trace of one request a second
  const { load, serving } = server.frontend;
  expect(load.rate).toBe(100);
  await eventually(async () => serving.record.submitted > 30);
  load.rate = 0;
  const { submitted } = serving.record;
  await eventually(async () => serving.metrics.inFlight === 0);
  expect(serving.record.submitted).toBe(submitted);
  expect(await server.sum('vllm:request_success_total')).toBe(submitted);
});

it('has its clients leave at the share that it is set to', async () => {
  const server = await startFrontend({ load: 'trace', speed: 100 });
  await server.ask('/api/load', { abortRate: 1 });
  const aborted = () => server.sum('vllm:request_success_total', { finished_reason: 'abort' });
  await eventually(async () => (await aborted()) > 10);
});

it('loses what is turned away, and goes on', async () => {
  const server = await startFrontend({ load: 'trace', speed: 2000, engines: 1, maxQueue: 1 });
  await eventually(async () => (await server.sum('vllm:admission_rejections_total')) > 5);
  const before = await server.sum('vllm:request_success_total');
  await eventually(async () => (await server.sum('vllm:request_success_total')) > before);
});

it('tells on one line how the fleet is', async () => {
  const { frontend, ask } = await startFrontend();
  await ask('/v1/completions', { prompt: 'a', max_tokens: 2 });
  expect(statusLine(frontend.serving, 61_000)).toBe(
    '00:01:01  2 engines  0 running  0 waiting  0 live  1 ended  0 aborted  KV 0.0 %',
  );
});

import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import type { RequestInfo } from '../../../src/index.js';
import { Frontend, scheduled } from '../support/frontend.js';

const REQUESTS = 10_000;

/*
 * B54 https://github.com/BerriAI/litellm/pull/39136, https://github.com/BerriAI/litellm/issues/12159,
 * https://github.com/BerriAI/litellm/pull/27272
 * Labels were filled from requests: each typo of a model name left a permanent series, and scrapes grew to megabytes.
 * The report wants a capped host label beside it. We offer no host labels at all: a tenant has no way to the page.
 */
it('B54: what a request asks for makes no series', async () => {
  const frontend = new Frontend();
  const before = (await frontend.page()).samples.size;
  for (let i = 0; i < REQUESTS; i++) {
    const asked = { model: `model-${i}`, modelName: `model-${i}`, tenant: `tenant-${i % 500}` };
    frontend.arrive(asked as Partial<RequestInfo>).out({ tok: 1, fin: 'stop' });
  }
  const page = await frontend.page();
  expect(page.samples.size).toBe(before);
  expect(page.endings()).toEqual({ stop: REQUESTS });
});

// Adapter names are the one label value that comes with requests.
it('B54: a flood of adapter names ends under one overflow name', async () => {
  const frontend = new Frontend();
  const clients = Array.from({ length: REQUESTS }, (_, i) =>
    frontend.arrive({ loraName: `adapter-${i}` }).out({ ev: [scheduled(1)] }),
  );
  const [[key]] = (await frontend.page()).starting('lora_requests_info') as [[string, number]];
  const names = /running_lora_adapters="([^"]*)"/u.exec(key)![1]!.split(',');
  expect(names).toHaveLength(1024 + 1);
  expect(names).toContain('other');
  expect(frontend.diagnostics).toHaveLength(REQUESTS - 1024);

  for (const client of clients) client.unsubscribe();
  const page = await frontend.page();
  expect(page.endings()).toEqual({ abort: REQUESTS });
  expect(page.starting('lora_requests_info')).toEqual([]);
});

/*
 * B56 https://github.com/prometheus/client_js/issues/682
 * prom-client joins names and values without escaping: engine "0" of model "a,model_name:b" and engine
 * "0,model_name:a" of model "b" land in one series.
 */
it('B56: an engine is a whole number, so no two label sets meet', async () => {
  const registry = new Registry();
  const first = new Frontend({ registry, modelName: 'a,model_name:b' });
  first.arrive().out({ tok: 1 });
  const second = new Frontend({ registry, modelName: 'b' });
  const engine = '0,model_name:a' as unknown as number;
  expect(() => second.metrics.forEngine(engine)).toThrow(TypeError);
  expect(() => second.arrive({ engineIndex: engine })).toThrow(TypeError);
  expect(() => new Frontend({ registry, modelName: 'b', engines: [engine] })).toThrow(TypeError);
  second.arrive().out({ tok: 5 });

  expect((await first.page({ model_name: 'a,model_name:b' })).value('GTOK')).toBe(1);
  expect((await second.page({ model_name: 'b' })).value('GTOK')).toBe(5);
});

it('B56: adapters whose names hold the separator stay apart in the list', async () => {
  const frontend = new Frontend();
  for (const loraName of ['x,y', 'x', 'y']) frontend.arrive({ loraName });

  const [[key]] = (await frontend.page()).starting('lora_requests_info') as [[string, number]];
  expect(key).toContain('waiting_lora_adapters="x,x%2Cy,y"');
});

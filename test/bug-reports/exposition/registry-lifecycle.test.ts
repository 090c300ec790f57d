import { readFileSync } from 'node:fs';
import { Counter, Registry, register } from 'prom-client';
import { expect, it, vi } from 'vitest';
import { renderMetrics, ServingMetrics } from '../../../src/index.js';
import { readSamples } from '../../../src/testing/index.js';
import { RenamedRegistry, secondPromClient } from '../support/client-copies.js';
import { FAMILIES } from '../support/families.js';
import { Frontend, output } from '../support/frontend.js';
import { seen } from '../support/page.js';

const namesIn = (registry: Registry) => registry.getMetricsAsArray().map(({ name }) => name);

/*
 * B42 https://github.com/prometheus/client_js/issues/196, https://github.com/willsoto/nestjs-prometheus/issues/1928,
 * https://github.com/tdeekens/promster/issues/200
 * A hot reload or a test rerun threw "already registered"; people cleared the host's registry to get past it, and
 * everybody's data with it.
 */
it('B42: made twice on a registry, the metrics share their families and keep their counts', async () => {
  const registry = new Registry();
  new Counter({ name: 'foo_total', help: "The host's.", registers: [registry] }).inc(3);
  const harsh = [vi.spyOn(registry, 'clear'), vi.spyOn(registry, 'resetMetrics')];
  new Frontend({ registry }).arrive().out({ tok: 2 });
  const families = namesIn(registry).length;
  const again = new Frontend({ registry });
  again.arrive().out({ tok: 5 });

  const page = await again.page();
  expect([page.value('GTOK'), page.samples.get('foo_total')]).toEqual([7, 3]);
  expect(namesIn(registry)).toHaveLength(families);
  for (const call of harsh) expect(call).not.toHaveBeenCalled();
});

/*
 * B44 https://github.com/jochen-schweizer/express-prom-bundle/issues/20, https://github.com/slanatech/swagger-stats/issues/126,
 * https://github.com/tdeekens/promster/pull/1611, https://github.com/prometheus/client_js/issues/186
 * With the client as a direct dependency there were two copies of it, and metrics went to a registry nobody served.
 */
it("B44: all families are in the host's registry, whichever copy of the client made it", async () => {
  const copy = secondPromClient();
  expect(copy.Registry).not.toBe(Registry);
  const registry = new copy.Registry();
  const frontend = new Frontend({ registry });
  frontend.arrive().out({ tok: 2, fin: 'stop' });

  expect(namesIn(registry).sort()).toEqual([...FAMILIES].sort());
  expect((await frontend.page()).endings()).toEqual({ stop: 1 });
  expect([...namesIn(copy.register), ...namesIn(register)]).toEqual([]);
});

it('B44: a registry of the renamed client serves as well', async () => {
  const registry = new RenamedRegistry();
  const metrics = new ServingMetrics({ registry, modelName: 'm', engines: [0] });
  metrics.forEngine(0).generationTokens.inc(2);

  expect([...registry.metrics.keys()].sort()).toEqual([...FAMILIES].sort());
  const series = 'vllm:generation_tokens_total{engine="0",model_name="m"}';
  expect((await readSamples(registry)).get(series)).toBe(2);
  expect(await renderMetrics(registry)).toContain(`${series} 2.0\n`);
});

it('B44: the client is a peer and no dependency', () => {
  const manifest = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
  expect(manifest.peerDependencies).toHaveProperty('prom-client');
  expect(manifest).not.toHaveProperty('dependencies');
});

/*
 * B45 https://github.com/joao-fontenele/express-prometheus-middleware/issues/22,
 * https://github.com/prometheus/client_js/issues/206, https://github.com/claws/aioprometheus/issues/70
 * The registry option was not passed to every constructor: half of the metrics were missing from the page served.
 */
it('B45: with everything on, every family is in the given registry and none in the global one', () => {
  const frontend = new Frontend({ maxLora: 4, maxModelLen: 4096, unknownIntervals: 'omit' });
  frontend.metrics.setCacheConfig(0, { block_size: 16 });
  frontend.metrics.setSleepState(0, 'discard_all');
  frontend.metrics.recordMultiModalCache(0, { queries: 2, hits: 1 });
  frontend.step(
    {
      specDecodingStats: { numDrafts: 1, numAcceptedTokensPerPos: [1] },
      kvConnectorStats: { put: [{ durationSeconds: 1 }] },
    },
    [output({ tok: 1 }).output],
  );
  frontend.arrive({ loraName: 'a', maxTokens: 1 }).out({ tok: 1, nans: 1, fin: 'length' });

  expect(namesIn(frontend.registry).sort()).toEqual([...FAMILIES].sort());
  expect(namesIn(register)).toEqual([]);
});

it('B45: the registry is a required argument', () => {
  const options = { modelName: 'm' } as unknown as ConstructorParameters<typeof ServingMetrics>[0];
  expect(() => new ServingMetrics(options)).toThrow(/^registry: /u);
});
/*
 * B46 https://github.com/vllm-project/vllm/issues/39906, https://github.com/triton-inference-server/server/issues/8663
 * Two connectors in one process crashed the start with a duplicate series; elsewhere unloading one model destroyed
 * metric objects that another still used.
 */
it('B46: disposing one model takes its label sets and leaves the other one working', async () => {
  const registry = new Registry();
  const [a, b] = ['m1', 'm2'].map((modelName) => new Frontend({ registry, modelName }));
  for (const frontend of [a!, b!]) frontend.arrive().out({ tok: 1, fin: 'stop' });
  a!.metrics.dispose();
  b!.arrive().out({ tok: 1, fin: 'stop' });

  const page = await b!.page({ model_name: 'm2' });
  expect(page.endings()).toEqual({ stop: 2 });
  expect(page.histograms('E2E')).toEqual({ E2E: seen(2) });
  expect([...page.samples.keys()].filter((key) => key.includes('model_name="m1"'))).toEqual([]);
  expect(namesIn(registry).sort()).toEqual([...FAMILIES].sort());
});

/*
 * B48 https://github.com/SkeLLLa/fastify-metrics/issues/57, https://github.com/prometheus/client_js/pull/137,
 * https://github.com/prometheus/client_js/issues/598
 * Default labels are merged at scrape, and it was unclear which side wins, and where they show.
 */
it("B48: our labels win over the host's default labels, and each appears once", async () => {
  const registry = new Registry();
  registry.setDefaultLabels({ pod: 'p1', engine: 'X', model_name: 'Y' });
  const frontend = new Frontend({ registry });
  frontend.arrive().out({ tok: 2, fin: 'stop' });

  const pages = [await registry.metrics(), await renderMetrics(registry)];
  const lines = pages
    .flatMap((page) => page.split('\n'))
    .filter((line) => line.startsWith('vllm:') && !line.startsWith('vllm:admission_rejections_total'));
  const names = lines.map((line) => [...line.matchAll(/(\w+)="/gu)].map(([, name]) => name));
  expect(names.filter((list) => new Set(list).size !== list.length)).toEqual([]);
  for (const label of ['engine="0"', 'model_name="m"', 'pod="p1"'])
    expect(lines.filter((line) => !line.includes(label))).toEqual([]);
  expect((await frontend.page({ pod: 'p1' })).value('GTOK')).toBe(2);
});

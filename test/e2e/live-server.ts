/** Simulated engines in real time, and their metrics over HTTP: what Prometheus scrapes. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Registry } from 'prom-client';
import { asyncScheduler, take } from 'rxjs';
import {
  OutputRouter,
  type PromRegistry,
  renderMetrics,
  ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { type EngineFleet, simulateEngines } from '../../src/simulator/index.js';

export const MODEL_NAME = 'llama-3.1-8b';

export interface LiveServer {
  readonly port: number;
  readonly registry: PromRegistry;
  /** What `Accept` each path was asked with. */
  readonly accepted: ReadonlyMap<string, string>;
  stop(): Promise<void>;
}

function runEngines(): EngineFleet {
  return simulateEngines({
    engines: 2,
    seed: 7,
    scheduler: asyncScheduler,
    numKvBlocks: 48, // too few for all: preemptions
    errorRate: 0.02,
    specDecoding: { numSpecTokens: 3, acceptanceRate: 0.7 },
    kvConnector: { kind: 'multi' },
    perfModel: {},
    kvResidencySampleRate: 1,
  });
}

/** A request every 10 ms, each tenth of them left after three outputs. */
function sendRequests(fleet: EngineFleet, router: OutputRouter, metrics: ServingMetrics): () => void {
  let sent = 0;
  const timer = setInterval(() => {
    const i = sent++;
    const requestId = `request-${i}`;
    const maxTokens = 20 + (i % 40);
    const numPromptTokens = 20 + (i % 90);
    const engineIndex = i % 2;
    const loraName = i % 3 === 0 ? `adapter-${i % 2}` : undefined;
    const request = { requestId, numPromptTokens, numOutputTokens: 30 + (i % 20), maxTokens };
    const onAbort = (id: string) => fleet.abort(engineIndex, [id]);
    router
      .open(requestId, engineIndex, { onAbort })
      .pipe(
        withRequestMetrics(metrics, { numPromptTokens, maxTokens, ...(loraName && { loraName }) }),
        take(i % 10 === 0 ? 3 : Infinity),
      )
      .subscribe({ error: () => {} }); // closing the fleet ends them early
    fleet.submit({ ...request, ...(loraName && { loraName }) }, engineIndex);
  }, 10);
  return () => clearInterval(timer);
}

/** `/metrics` as text, `/openmetrics` in the other format. */
export async function serveLive(): Promise<LiveServer> {
  const registry = new Registry();
  const metrics = new ServingMetrics({
    registry,
    modelName: MODEL_NAME,
    engines: [0, 1],
    maxModelLen: 4096,
    maxLora: 4,
  });
  metrics.setCacheConfig(0, { block_size: 16, num_gpu_blocks: 48 });
  const fleet = runEngines();
  const router = new OutputRouter();
  fleet.batches$.pipe(withSchedulerMetrics(metrics)).subscribe(router);
  const stopRequests = sendRequests(fleet, router, metrics);

  const openMetrics = Object.create(registry, { contentType: { value: Registry.OPENMETRICS_CONTENT_TYPE } });
  const views: Readonly<Record<string, PromRegistry>> = { '/metrics': registry, '/openmetrics': openMetrics };
  const accepted = new Map<string, string>();
  const server = createServer(async ({ url = '', headers }, response) => {
    accepted.set(url, headers.accept ?? '');
    const view = views[url]!;
    response.writeHead(200, { 'content-type': view.contentType }).end(await renderMetrics(view));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    registry,
    accepted,
    async stop() {
      stopRequests();
      fleet.close();
      metrics.dispose();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

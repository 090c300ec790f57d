/** The same requests seen by an engine's frontend and by a gateway before it, in virtual time. */
import { Registry } from 'prom-client';
import { type MonoTypeOperatorFunction, take, tap, VirtualTimeScheduler } from 'rxjs';
import {
  type EngineCoreStreamOutput,
  OutputRouter,
  type RequestHandle,
  renderMetrics,
  ServingMetrics,
  type ServingMetricsOptions,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { type EngineFleet, simulateEngines } from '../../src/simulator/index.js';

/** How long there is traffic. */
export const SECONDS = 480;
const SCRAPE_MS = 5_000;
/** After a second's requests, while all of them are under way. */
const SCRAPE_AFTER_MS = 25;
/** Come at once, so that some wait. */
const REQUESTS_A_SECOND = 24;

/** Both pages as often as Prometheus would have scraped them: OpenMetrics with timestamps, for promtool. */
export interface TwinPages {
  readonly engine: string;
  readonly gateway: string;
}

class Twins {
  readonly scheduler: VirtualTimeScheduler = new VirtualTimeScheduler(undefined, 0);
  readonly engine: Registry = new Registry();
  readonly gateway: Registry = new Registry();
  readonly #frontend: ServingMetrics;
  readonly #observer: ServingMetrics;
  readonly #router = new OutputRouter();
  readonly #fleet: EngineFleet;

  constructor(modelName: string) {
    const options = {
      modelName,
      engines: [0, 1],
      clock: this.scheduler,
    } satisfies Partial<ServingMetricsOptions>;
    this.#frontend = new ServingMetrics({ ...options, registry: this.engine });
    this.#observer = new ServingMetrics({ ...options, registry: this.gateway, profile: 'gateway' });
    this.#fleet = simulateEngines({
      engines: 2,
      seed: 3,
      scheduler: this.scheduler,
      maxNumSeqs: 4,
      numKvBlocks: 48,
      errorRate: 0.02,
    });
    this.#fleet.batches$.pipe(withSchedulerMetrics(this.#frontend)).subscribe(this.#router);
  }

  runTo(ms: number): void {
    this.scheduler.maxFrames = ms;
    this.scheduler.flush();
    this.scheduler.frame = ms;
  }

  /** The `i`th request; each tenth client leaves after three outputs. */
  send(i: number): void {
    const requestId = `request-${i}`;
    const engineIndex = i % 2;
    const size = { numPromptTokens: 20 + (i % 90), maxTokens: 20 + (i % 40) };
    const handle = this.#observer.startRequest({ engineIndex, maxTokens: size.maxTokens });
    this.#router
      .open(requestId, engineIndex, { onAbort: (id) => this.#fleet.abort(engineIndex, [id]) })
      .pipe(withRequestMetrics(this.#frontend, size), observe(handle), take(i % 10 === 0 ? 3 : Infinity))
      .subscribe();
    this.#fleet.submit({ requestId, ...size, numOutputTokens: 30 + (i % 20) }, engineIndex);
  }
}

/** What a gateway reads in an answer's stream: tokens, the usage at its end, why it ended. */
function observe(handle: RequestHandle): MonoTypeOperatorFunction<EngineCoreStreamOutput> {
  return tap<EngineCoreStreamOutput>({
    next: ({ output: { newTokenIds, finishReason, prefillStats } }) => {
      if (prefillStats)
        handle.usage({
          promptTokens: prefillStats.numPromptTokens!,
          cachedTokens: prefillStats.numCachedTokens!,
        });
      if (newTokenIds.length > 0) handle.tokens(newTokenIds.length);
      if (finishReason) handle.end(finishReason);
    },
    unsubscribe: () => handle[Symbol.dispose](),
  });
}

function stamped(page: string, second: number): string {
  const target = 'job="pods",instance="a",namespace="n",pod="p",service="s"';
  return page
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, name, labels, value] = /^([^{ ]+)(?:\{(.*)\})? (\S+)$/.exec(line)!;
      return `${name}{${[target, labels].filter(Boolean).join(',')}} ${value} ${second}\n`;
    })
    .join('');
}

export async function twinPages(modelName: string, start: number): Promise<TwinPages> {
  const twins = new Twins(modelName);
  const pages = { engine: '', gateway: '' };
  let sent = 0;
  for (let ms = 0; ms <= SECONDS * 1_000; ms += 1_000) {
    for (let i = 0; i < REQUESTS_A_SECOND; i++) twins.send(sent++);
    twins.runTo(ms + SCRAPE_AFTER_MS);
    if (ms % SCRAPE_MS === 0) {
      pages.engine += stamped(await renderMetrics(twins.engine), start + ms / 1_000);
      pages.gateway += stamped(await renderMetrics(twins.gateway), start + ms / 1_000);
    }
    twins.runTo(ms + 1_000);
  }
  return { engine: `${pages.engine}# EOF\n`, gateway: `${pages.gateway}# EOF\n` };
}

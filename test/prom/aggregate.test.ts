/** Several processes' metrics as one page: what one frontend that saw everything would show. */
import fc from 'fast-check';
import { AggregatorRegistry, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Subject } from 'rxjs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  aggregateMetrics,
  type EngineCoreOutputs,
  renderMetrics,
  ServingMetrics,
  type ServingMetricsOptions,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { engineOutput, schedulerStats } from '../../src/testing/index.js';
import { valuesOn } from '../support/read-page.js';

/** A frontend's process. */
class Frontend {
  readonly registry: Registry = new Registry();
  readonly metrics: ServingMetrics;
  readonly #batches = new Subject<EngineCoreOutputs>();

  constructor(options: Partial<ServingMetricsOptions> = {}) {
    const { registry } = this;
    this.metrics = new ServingMetrics({
      registry,
      modelName: 'm',
      engines: [0, 1],
      clock: { now: () => 0 },
      ...options,
    });
    this.#batches.pipe(withSchedulerMetrics(this.metrics)).subscribe();
  }

  step(engineIndex: number, running?: number): void {
    const stats = { numRunningReqs: running!, numWaitingReqs: running! + 1, kvCacheUsage: running! / 8 };
    this.#batches.next({
      engineIndex,
      timestamp: 1,
      outputs: [],
      ...(running !== undefined && { schedulerStats: schedulerStats(stats) }),
    });
  }

  /** A request that gets some tokens, and ends if it is to. */
  request(engineIndex: number, tokens: number, ends: boolean): void {
    const source = new Subject<ReturnType<typeof engineOutput>>();
    source.pipe(withRequestMetrics(this.metrics, { engineIndex, numPromptTokens: 8 })).subscribe();
    source.next(engineOutput(tokens, { timestamp: 1 }));
    if (ends) source.next(engineOutput(1, { timestamp: 3, finishReason: 'stop' }));
  }

  /** Its JSON as another process receives it. */
  async page(how: 'json' | 'clone' = 'json'): Promise<unknown> {
    const answers = await this.registry.getMetricsAsJSON();
    return how === 'json' ? JSON.parse(JSON.stringify(answers)) : structuredClone(answers);
  }
}

async function together(frontends: readonly Frontend[], how?: 'json' | 'clone'): Promise<string> {
  return renderMetrics(aggregateMetrics(await Promise.all(frontends.map((frontend) => frontend.page(how)))));
}

/** The wall clock, which all processes of a host share. */
let now = 1.8e12;

function holdClock(): void {
  vi.spyOn(Date, 'now').mockImplementation(() => now);
}

afterEach(() => {
  vi.restoreAllMocks();
});

const SLEEP = ['awake', 'weights_offloaded', 'discard_all'] as const;

/** Something that one of the frontends is told. */
const event = fc
  .record({
    what: fc.constantFrom(
      'step',
      'step',
      'step',
      'outputs alone',
      'idle',
      'sleep',
      'config',
      'request',
      'cache',
    ),
    engine: fc.nat({ max: 1 }),
    figure: fc.nat({ max: 8 }),
  })
  .map(({ what, engine, figure }) => (target: Frontend): void => {
    if (what === 'step') target.step(engine, figure);
    else if (what === 'outputs alone') target.step(engine);
    else if (what === 'idle') target.metrics.idle(engine);
    else if (what === 'sleep') target.metrics.setSleepState(engine, SLEEP[figure % 3]!);
    else if (what === 'config') target.metrics.setCacheConfig(engine, { blockSize: figure });
    else if (what === 'cache') target.metrics.recordMultiModalCache(engine, { queries: figure, hits: 1 });
    else target.request(engine, figure, figure % 3 > 0);
  });

describe('the pages of several frontends', () => {
  it('are together the page of one that saw everything, however it was distributed', async () => {
    holdClock();
    const events = fc.array(fc.tuple(event, fc.nat()), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        events,
        fc.integer({ min: 1, max: 4 }),
        fc.constantFrom('json' as const, 'clone' as const),
        async (happened, count, how) => {
          const one = new Frontend();
          const workers = Array.from({ length: count }, () => new Frontend());
          for (const [happen, at] of happened) {
            now++;
            happen(one);
            happen(workers[at % count]!);
          }
          const expected = valuesOn(await renderMetrics(one.registry));
          expect(valuesOn(await together(workers, how))).toEqual(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it("have vLLM's spelling, our own metrics too", async () => {
    const frontend = new Frontend();
    frontend.step(0, 3);
    frontend.request(0, 2, true);
    holdClock();
    expect(await together([frontend])).toBe(await renderMetrics(frontend.registry));
  });

  it('of an engine with two steps at one moment show the later page', async () => {
    holdClock();
    const frontends = [new Frontend(), new Frontend()];
    frontends[0]!.step(0, 5);
    frontends[1]!.step(0, 2);
    expect(await together(frontends)).toContain('vllm:num_requests_running{engine="0",model_name="m"} 2.0\n');
    expect(await together(frontends.reverse())).toContain(
      'vllm:num_requests_running{engine="0",model_name="m"} 5.0\n',
    );
  });

  it('take nobody’s word for an engine awake from a process that was told nothing', async () => {
    const [told, silent] = [new Frontend(), new Frontend()];
    told.metrics.setSleepState(0, 'discard_all');
    for (const frontends of [
      [told, silent],
      [silent, told],
    ]) {
      const states = (await together(frontends)).match(/^vllm:engine_sleep_state\{engine="0".*$/gm);
      expect(states?.map((line) => line.slice(-3))).toEqual(['0.0', '0.0', '1.0']);
    }
  });

  it('keep the configurations of two models that were set in two processes', async () => {
    const [first, second] = [new Frontend(), new Frontend({ modelName: 'n' })];
    first.metrics.setCacheConfig(0, { blockSize: 16 });
    second.metrics.setCacheConfig(0, { blockSize: 32 });
    const page = await together([first, second]);
    expect(page.match(/^vllm:cache_config_info\{.*$/gm)).toHaveLength(2);
  });

  it('show the LoRA adapters of the newest page', async () => {
    holdClock();
    const frontends = [new Frontend({ maxLora: 2 }), new Frontend({ maxLora: 2 })];
    const source = new Subject<ReturnType<typeof engineOutput>>();
    source
      .pipe(withRequestMetrics(frontends[0]!.metrics, { engineIndex: 0, numPromptTokens: 1, loraName: 'a' }))
      .subscribe();
    const old = await frontends[1]!.page();
    now++;
    const page = await renderMetrics(aggregateMetrics([await frontends[0]!.page(), old]));
    expect(page.match(/^vllm:lora_requests_info\{.*$/gm)).toHaveLength(1);
    expect(page).toContain('waiting_lora_adapters="a"');
  });

  it('are none: an empty page', async () => {
    expect(await renderMetrics(aggregateMetrics([]))).toBe('');
    expect(await renderMetrics(aggregateMetrics([[], []]))).toBe('');
  });

  it('add up also where a process lacks a family or a series', async () => {
    const [whole, part] = [new Frontend(), new Frontend({ engines: [1] })];
    whole.request(0, 2, true);
    part.request(1, 3, true);
    part.registry.removeSingleMetric('vllm:generation_tokens_total');
    const page = valuesOn(await together([part, whole]));
    const total = [...page].filter(([key]) => key.startsWith('vllm:generation_tokens_total'));
    expect(total.map(([, value]) => value)).toEqual([3, 0]);
    const ended = [...page].filter(([key]) => key.startsWith('vllm:e2e_request_latency_seconds_count'));
    expect(ended.map(([, value]) => value).sort()).toEqual([1, 1]);
  });
});

describe('processes that disagree', () => {
  it.each<[string, () => Promise<unknown>[], RegExp]>([
    [
      'about buckets',
      () => [new Frontend().page(), new Frontend({ buckets: { requestLatency: [1, 2] } }).page()],
      /aggregateMetrics: expected vllm:\w+ to have one set of buckets, got .* and 1\.0, 2\.0, \+Inf/,
    ],
    [
      'about a type',
      () => {
        const registry = new Registry();
        new Counter({ name: 'vllm:num_requests_running', help: 'h', registers: [registry] });
        return [new Frontend().page(), registry.getMetricsAsJSON()];
      },
      /aggregateMetrics: expected vllm:num_requests_running to have one type, got gauge and counter/,
    ],
  ])('%s give one error at the call that names the family', async (_, pages, message) => {
    const all = await Promise.all(pages());
    expect(() => aggregateMetrics(all)).toThrow(message);
  });

  it.each([['no list'], [{}], [null]])('with %j for a page give an error at the call', (page) => {
    const message = 'aggregateMetrics: expected pages to be a list of what getMetricsAsJSON() resolves to';
    expect(() => aggregateMetrics([page])).toThrow(new TypeError(message));
  });
});

describe("other people's metrics", () => {
  it.each(['sum', 'first', 'omit', 'average', 'min', 'max'] as const)(
    'are combined as prom-client combines them: %s',
    async (aggregator) => {
      const pages = await Promise.all(
        [3, 1, 5].map((value) => {
          const registry = new Registry();
          const shape = { help: 'h', aggregator, registers: [registry] };
          const gauge = new Gauge({ ...shape, name: 'g', labelNames: ['a'] });
          gauge.set({ a: 'x' }, value);
          if (value > 1) gauge.set({ a: 'y' }, value);
          new Histogram({ ...shape, name: 'h', buckets: [1, 4] }).observe(value);
          return registry.getMetricsAsJSON();
        }),
      );
      const theirs = await AggregatorRegistry.aggregate(pages).metrics();
      expect(valuesOn(await renderMetrics(aggregateMetrics(pages)))).toEqual(
        valuesOn(theirs.replaceAll('\n\n', '\n')),
      );
    },
  );

  it('with an aggregator that nobody knows give an error that names them', async () => {
    const page = [{ name: 'g', help: 'h', type: 'gauge', aggregator: 'toString', values: [] }];
    expect(() => aggregateMetrics([page])).toThrow(
      /expected an aggregator of prom-client for g, got toString/,
    );
  });
});

describe('the JSON of a process', () => {
  it('shows when a state was set beside its labels, and no page of prom-client does', async () => {
    const frontend = new Frontend();
    frontend.step(0, 1);
    const before = valuesOn((await frontend.registry.metrics()).replaceAll('\n\n', '\n'));
    const cluster = AggregatorRegistry.aggregate([(await frontend.page()) as object[]]);
    expect(valuesOn((await cluster.metrics()).replaceAll('\n\n', '\n')).size).toBe(before.size);
    expect(JSON.stringify(await frontend.page())).toContain('"setAt":{"m/0":');
  });
});

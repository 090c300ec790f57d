/** The host and its consumers: one that disposes, one that never unsubscribes, scrapes at the wrong moment. */
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/index.js';
import { valuesOn } from '../support/read-page.js';
import type { LiveRequest } from '../support/rig.js';
import { Rig } from '../support/rig.js';

const SUCCESS = 'vllm:request_success_total';
const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';

/** Buckets never fall, the last one is the count: what a scrape in the middle of a record could break. */
function expectConsistent(page: string): void {
  const samples = valuesOn(page);
  for (const [key, value] of samples) {
    expect(value, key).toBeGreaterThanOrEqual(0);
    if (!key.includes('le="+Inf"')) continue;
    const count = key.replace('_bucket{', '_count{').replace(/le="\+Inf",?/, '');
    expect(samples.get(count), key).toBe(value);
  }
}

describe('a scrape that overlaps', () => {
  it('recording sees each family whole, and the next one all of it', async () => {
    const rig = new Rig({ engines: Array.from({ length: 40 }, (_, i) => i) });
    const live = Array.from({ length: 40 }, (_, engineIndex) => rig.request({ engineIndex }));
    const scrape = renderMetrics(rig.registry);
    let timestamp = 0;
    let done = false;
    const finished = scrape.then(() => {
      done = true;
    });
    while (!done) {
      timestamp++;
      for (const request of live) request.output(1, { timestamp });
      // Between the slices of a long page.
      await new Promise((resolve) => setImmediate(resolve));
    }
    await finished;
    expect(timestamp).toBeGreaterThan(1);
    expectConsistent(await scrape);
    const tokens = valuesOn(await renderMetrics(rig.registry)).get(
      'vllm:generation_tokens_total{engine="39",model_name="m"}',
    );
    expect(tokens).toBe(timestamp);
  });

  it('removeEngine and the engine coming back neither fails nor keeps what left', async () => {
    const rig = new Rig({ engines: [0, 1] });
    const live = rig.request();
    const first = renderMetrics(rig.registry);
    rig.metrics.removeEngine(0);
    const second = renderMetrics(rig.registry);
    live.finish();
    const third = renderMetrics(rig.registry);
    rig.metrics.forEngine(0).numRequestsRunning.set(5);
    const pages = await Promise.all([first, second, third, renderMetrics(rig.registry)]);
    for (const page of pages) expectConsistent(page);
    const running = 'vllm:num_requests_running{engine="0",model_name="m"}';
    expect(valuesOn(pages[3]!).get(running)).toBe(5);
    expect(valuesOn(await renderMetrics(rig.registry)).get(running)).toBe(5);
  });

  it('dispose is answered, and the next one is empty', async () => {
    const rig = new Rig({ engines: [0, 1] });
    const scrapes = [renderMetrics(rig.registry), rig.registry.metrics(), rig.registry.getMetricsAsJSON()];
    rig.metrics.dispose();
    await expect(Promise.all(scrapes)).resolves.toHaveLength(3);
    expect((await renderMetrics(rig.registry)).trim()).toBe('');
  });

  it('a new engine shows it whole in the next one', async () => {
    const rig = new Rig({ engines: [0] });
    const scrape = renderMetrics(rig.registry);
    rig.request({ engineIndex: 7 }).finish();
    expectConsistent(await scrape);
    const page = valuesOn(await renderMetrics(rig.registry));
    expect(page.get(`${SUCCESS}{engine="7",finished_reason="stop",model_name="m"}`)).toBe(1);
  });
});

describe('a consumer that never unsubscribes', () => {
  it('shows in the in-flight gauge, per engine, and nowhere else', async () => {
    const rig = new Rig({ engines: [0, 1] });
    for (let i = 0; i < 25; i++) rig.request({ engineIndex: 1 }).output(1);
    for (let i = 0; i < 100; i++) rig.request().finish();
    expect(await rig.value(IN_FLIGHT, 1)).toBe(25);
    expect(await rig.value(IN_FLIGHT)).toBe(0);
    expect([rig.metrics.inFlight, await rig.value('vllm:e2e_request_latency_seconds_count', 1)]).toEqual([
      25, 0,
    ]);
  });

  it('is not in flight once its request has its finish reason, however long it stays', async () => {
    const rig = new Rig();
    rig.request().output(1, { finishReason: 'stop' });
    expect([rig.metrics.inFlight, await rig.value(IN_FLIGHT)]).toEqual([0, 0]);
  });
});

describe('a host that disposes while requests are live', () => {
  const endings: [string, (live: LiveRequest) => void, string[]][] = [
    ['finish', (live) => live.finish(), ['next 1', 'complete']],
    ['complete', (live) => live.source.complete(), ['complete']],
    ['fail', (live) => live.source.error('e'), ['error e']],
    ['are left', (live) => live.abort(), []],
  ];

  it.each(endings)('harms none that %s', async (_, end, seen) => {
    const rig = new Rig({ engines: [0] });
    const other = rig.sibling({ modelName: 'other', engines: [0] });
    const live = rig.request({ loraName: 'a' }).output(2, { timestamp: 1 });
    rig.metrics.dispose();
    const before = await other.samples();
    live.output(3, { timestamp: 2 });
    end(live);
    expect(live.seen).toEqual(['next 2', 'next 3', ...seen]);
    expect(await other.samples()).toEqual(before);
  });

  it('and builds a new instance at once starts it clean', async () => {
    const rig = new Rig({ engines: [0] });
    const live = rig.request({ loraName: 'a' });
    rig.metrics.dispose();
    const next = rig.sibling({ engines: [0] });
    live.finish();
    expect(await next.value(IN_FLIGHT)).toBe(0);
    expect(await next.value(SUCCESS, 0, 'finished_reason="stop"')).toBe(0);
    expect(await next.family('vllm:lora_requests_info')).toEqual({});
  });

  it('from a consumer that is being served goes on serving it', () => {
    const rig = new Rig();
    const live = rig.request();
    live.onSeen = () => rig.metrics.dispose();
    live.output(1).finish();
    expect(live.seen).toEqual(['next 1', 'next 1', 'complete']);
  });
});

/** The registry is the host's: it may be cleared, reset or made anew at any moment. */
import { Gauge, Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import { readSamples } from '../../../src/testing/index.js';
import { Rig } from '../../support/rig.js';

const SUCCESS = 'vllm:request_success_total';
const STOP = 'finished_reason="stop"';
const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';

const names = (registry: Registry) => registry.getMetricsAsArray().map(({ name }) => name);

describe('a registry that is cleared in mid-stream', () => {
  it('does not disturb the streams, and shows nothing of ours', async () => {
    const rig = new Rig({ engines: [0] });
    const live = rig.request({ loraName: 'a' }).output(1, { timestamp: 1 });
    rig.registry.clear();
    live.output(1, { timestamp: 2 }).finish({ timestamp: 3 });
    rig.stats({ numRunningReqs: 1, specDecodingStats: { numAcceptedTokensPerPos: [1] }, kvCacheUsage: 7 });
    rig.request({ engineIndex: 9 }).finish();
    expect(live.seen).toEqual(['next 1', 'next 1', 'next 1', 'complete']);
    expect([rig.metrics.inFlight, (await rig.samples()).size]).toEqual([0, 0]);
    expect((await renderMetrics(rig.registry)).trim()).toBe('');
  });

  it('takes a new instance, which starts at zero and is not touched by the old one', async () => {
    const rig = new Rig({ engines: [0] });
    rig.request().finish();
    const live = rig.request({ loraName: 'a' });
    rig.registry.clear();
    const fresh = rig.sibling({ engines: [0] });
    expect(await fresh.value(SUCCESS, 0, STOP)).toBe(0);
    live.finish();
    rig.request().finish();
    rig.metrics.removeEngine(0);
    rig.metrics.setSleepState(0, 'discard_all');
    expect(await fresh.value(SUCCESS, 0, STOP)).toBe(0);
    expect(await fresh.value(IN_FLIGHT)).toBe(0);
    expect(await fresh.value('vllm:engine_sleep_state', 0, 'sleep_state="awake"')).toBe(1);
    fresh.request().finish();
    expect(await fresh.value(SUCCESS, 0, STOP)).toBe(1);
  });

  it('keeps the new instance when the old one is disposed, live requests or not', async () => {
    const rig = new Rig({ engines: [0] });
    const live = rig.request();
    rig.registry.clear();
    const fresh = rig.sibling({ engines: [0], buckets: { requestLatency: [1] } });
    fresh.request().finish();
    rig.metrics.dispose();
    live.abort();
    expect(await fresh.value(SUCCESS, 0, STOP)).toBe(1);
    fresh.metrics.dispose();
    expect(names(rig.registry)).toEqual([]);
  });

  it("keeps another owner's metric of our name when the old instance is disposed", () => {
    const rig = new Rig({ engines: [0] });
    rig.registry.clear();
    new Gauge({ name: 'vllm:num_requests_running', help: 'h', registers: [rig.registry] });
    rig.metrics.dispose();
    expect(names(rig.registry)).toEqual(['vllm:num_requests_running']);
  });

  it('shows on the page what is there after it, not what was', async () => {
    const rig = new Rig({ engines: [0] });
    rig.request().finish();
    expect(await renderMetrics(rig.registry)).toMatch(/request_success_total\{.*"stop".*\} 1\.0/);
    rig.registry.clear();
    rig.sibling({ engines: [0] });
    const page = await renderMetrics(rig.registry);
    expect(page).toMatch(/request_success_total\{.*"stop".*\} 0\.0/);
    expect(page).not.toMatch(/request_success_total\{.*\} 1\.0/);
  });
});

describe('a family that the host removes', () => {
  it('is made again by the next instance, the rest shared', async () => {
    const rig = new Rig({ engines: [0] });
    rig.request().finish();
    rig.registry.removeSingleMetric(SUCCESS);
    const second = rig.sibling({ engines: [0] });
    expect(await second.value(SUCCESS, 0, STOP)).toBe(0);
    expect(await second.value('vllm:e2e_request_latency_seconds_count')).toBe(1);
    rig.metrics.dispose();
    second.request().finish();
    expect(await second.value(SUCCESS, 0, STOP)).toBe(1);
    second.metrics.dispose();
    expect(names(rig.registry)).toEqual([]);
  });
});

describe('a registry that is reset in mid-stream', () => {
  it('goes on counting from zero, in-flight and streams unharmed', async () => {
    const rig = new Rig({ engines: [0] });
    const [first, second] = [rig.request().output(3), rig.request()];
    rig.registry.resetMetrics();
    expect(await rig.value('vllm:generation_tokens_total')).toBe(0);
    first.output(2, { timestamp: 1 }).finish({ timestamp: 2 });
    second.abort();
    expect(await rig.value('vllm:generation_tokens_total')).toBe(3);
    expect(await rig.value('vllm:request_generation_tokens_sum')).toBe(6);
    expect(await rig.value(IN_FLIGHT)).toBe(0);
    expect(first.seen).toEqual(['next 3', 'next 2', 'next 1', 'complete']);
  });

  it('may be reset by every request that ends', async () => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.finishedRequests.subscribe(() => rig.registry.resetMetrics());
    for (let i = 0; i < 5; i++) rig.request().finish();
    expect(await rig.value(SUCCESS, 0, STOP)).toBe(0);
    expect(await rig.value(IN_FLIGHT)).toBe(0);
  });
});

describe('a registry that is made anew', () => {
  it('takes an instance of its own beside the old one', async () => {
    const rig = new Rig({ engines: [0] });
    const live = rig.request();
    const next = new Rig({ registry: new Registry(), engines: [0] });
    next.request().finish();
    live.finish();
    rig.metrics.dispose();
    expect(await next.value(SUCCESS, 0, STOP)).toBe(1);
    expect((await readSamples(rig.registry)).size).toBe(0);
  });

  it('may change its content type while requests are live', async () => {
    const rig = new Rig({ engines: [0] });
    const live = rig.request();
    const text = await renderMetrics(rig.registry);
    rig.registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
    expect(await renderMetrics(rig.registry)).toMatch(/# EOF\n$/);
    rig.registry.setContentType(Registry.PROMETHEUS_CONTENT_TYPE);
    expect(await renderMetrics(rig.registry)).toBe(text);
    live.finish();
    expect(await rig.value(SUCCESS, 0, STOP)).toBe(1);
  });
});

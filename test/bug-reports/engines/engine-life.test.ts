/** Engines that come and go, and what of them belongs to the model rather than to an instance. */
import { VirtualTimeScheduler } from 'rxjs';
import { expect, it } from 'vitest';
import { type StatsLogEntry, statsLog } from '../../../src/index.js';
import { Rig } from '../../support/rig.js';

const RUNNING = 'vllm:num_requests_running';
const POSITIONS = 'vllm:spec_decode_num_accepted_tokens_per_pos_total';
const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';

function logged(rig: Rig, ticks: number, act: (tick: number) => void): StatsLogEntry[] {
  const scheduler = new VirtualTimeScheduler();
  const entries: StatsLogEntry[] = [];
  const log = statsLog(rig.metrics, { every: 1000, scheduler }).subscribe((entry) => {
    entries.push(entry);
    if (entries.length === ticks) log.unsubscribe();
    else act(entries.length);
  });
  act(0);
  scheduler.flush();
  return entries;
}

/*
 * A finding of our own: stats that were under way when an engine was removed brought its gauges back for good.
 */
it('stats of a removed engine count, and bring no gauge back; a request does', async () => {
  const rig = new Rig({ engines: [0] });
  rig.stats({ numRunningReqs: 2 });
  rig.metrics.removeEngine(0);
  rig.stats({ numRunningReqs: 7, prefixCacheStats: { queries: 5, hits: 0 } });
  const lastStep = 'rx_engine_metrics_engine_last_step_timestamp_seconds';
  expect([await rig.value(RUNNING), await rig.value(lastStep)]).toEqual([undefined, undefined]);
  expect(await rig.value('vllm:prefix_cache_queries_total')).toBe(5);
  rig.request();
  expect([await rig.value(RUNNING), await rig.value(lastStep)]).toEqual([0, undefined]);
  rig.stats({ numRunningReqs: 1 });
  expect(await rig.value(RUNNING)).toBe(1);
  expect(await rig.value(lastStep)).toBeGreaterThan(1.7e9);
});

/*
 * A finding of our own: routers want the LoRA series of an idle engine, empty, as Python shows it with `max_lora`.
 */
it('with maxLora the LoRA series stands, empty, while no adapter is live', async () => {
  const rig = new Rig({ maxLora: 4 });
  expect(Object.keys(await rig.family('vllm:lora_requests_info'))).toEqual([
    '{max_lora="4",running_lora_adapters="",waiting_lora_adapters=""}',
  ]);
});

/*
 * A finding of our own: 600 adapters with requests that wait and run at once counted twice each: from the 513th on they
 * were `other`.
 */
it('an adapter counts once against the cap, whether its requests wait, run or both', async () => {
  const rig = new Rig();
  for (let i = 0; i < 600; i++) {
    const loraName = `a${i}`;
    rig.request({ loraName });
    rig.request({ loraName }).output(0, { events: [{ type: 'scheduled', timestamp: 1 }] });
  }
  expect(rig.diagnostics).toEqual([]);
});

/*
 * https://github.com/vllm-project/vllm/blob/main/vllm/v1/spec_decode/metrics.py
 * Draft positions appeared once they were used, and on one engine only: a rate of what was not there is empty.
 */
it.each([
  ['numSpecTokens of the options', { numSpecTokens: 2 }, undefined],
  ['numSpecTokens of any engine', {}, { numSpecTokens: 2 }],
  ['a position of any engine', {}, { numAcceptedTokensPerPos: [0, 0] }],
])('draft positions stand at 0 for every engine: by %s', async (_, options, specDecodingStats) => {
  const rig = new Rig({ engines: [0, 1], ...options });
  if (specDecodingStats !== undefined) rig.stats({ specDecodingStats }, 1);
  rig.metrics.forEngine(2);
  const shown = [0, 1, 2].flatMap((engine) =>
    [0, 1].map((position) => `{engine="${engine}",model_name="m",position="${position}"}`),
  );
  expect(Object.keys(await rig.family(POSITIONS)).sort()).toEqual(shown);
  expect(rig.metrics.forEngine(0).specDecodeNumAcceptedTokensPerPos).toHaveLength(2);
});

/*
 * A finding of our own: a hostile engine names more positions than a page can take.
 */
it('more draft tokens than 256 are held to that, with a diagnostic', async () => {
  const rig = new Rig({ engines: [0] });
  rig.stats({ specDecodingStats: { numSpecTokens: 1e9 } });
  expect(Object.keys(await rig.family(POSITIONS))).toHaveLength(256);
  expect(rig.sources()).toEqual(['numSpecTokens']);
  expect(() => new Rig({ numSpecTokens: 257 })).toThrow('numSpecTokens: expected at most 256, got 257');
});

/*
 * A finding of our own: lists printed as `[object Object]` or an empty label, and a text of 2 MB went onto every page.
 */
it('a cache configuration prints lists and objects as Python does, and cuts what is long', async () => {
  const rig = new Rig();
  rig.metrics.setCacheConfig(0, {
    none: [],
    layers: ['0', "it's", true, null],
    nested: { a: 1, 'b c': [0.00001] },
    long: 'x'.repeat(2_000_000),
    list: Array.from({ length: 100_000 }, (_, i) => i),
    when: new Date(0),
  });
  const [[labels]] = Object.entries(await rig.family('vllm:cache_config_info')) as [[string, number]];
  expect(labels).toContain('none="[]"');
  expect(labels).toContain(`layers="['0', \\"it's\\", True, None]"`);
  expect(labels).toContain(`nested="{'a': 1, 'b c': [1e-05]}"`);
  expect(labels).toContain(`long="${'x'.repeat(1024)}"`);
  expect(labels.length).toBeLessThan(2400);
  expect(rig.diagnostics.map(({ source, value }) => [source, value])).toEqual([
    ['cacheConfig', 'long'],
    ['cacheConfig', 'list'],
    ['cacheConfig', 'when'],
  ]);
});

/*
 * https://github.com/vllm-project/vllm/blob/main/vllm/v1/metrics/stats.py
 * An emptied prefix cache kept its old hit rate in the log.
 */
it('the log forgets the hit rate of a cache that was emptied, and counts from there', () => {
  const rig = new Rig({ engines: [0, 1] });
  const look = (queries: number, hits: number, reset = false) =>
    rig.stats({
      prefixCacheStats: { queries, hits, reset },
      connectorPrefixCacheStats: { queries, hits, reset },
    });
  const entries = logged(rig, 4, (tick) => {
    if (tick === 0) look(100, 90);
    if (tick === 1) look(0, 0, true);
    if (tick === 2) {
      look(50, 50);
      look(10, 5, true);
    }
  });
  const rates = entries.map(({ stats }) => [stats.prefixCacheHitRate, stats.externalPrefixCacheHitRate]);
  expect(rates).toEqual([
    [0.9, 0.9],
    [0, 0],
    [0.5, 0.5],
    [0.5, 0.5],
  ]);
  expect(entries[1]!.line).toContain('External prefix cache hit rate: 0.0%');
});

/*
 * A finding of our own: after `resetMetrics()` between two ticks, then more than before, the log said 500 tokens a
 * second for 1,500.
 */
it('the log knows of a reset of the registry, whatever was counted since', () => {
  const rig = new Rig({ engines: [0] });
  const { generationTokens } = rig.metrics.forEngine(0);
  const entries = logged(rig, 2, (tick) => {
    if (tick === 0) generationTokens.inc(1000);
    else {
      rig.registry.resetMetrics();
      generationTokens.inc(1500);
    }
  });
  expect(entries.map(({ stats }) => stats.generationThroughput)).toEqual([1000, 1500]);
});

/*
 * A finding of our own: the second instance's log said "per-position acceptance rate 100.500" for 0.5.
 */
it('the log of a second instance counts draft positions from where they are, and sees those of the first', () => {
  const rig = new Rig({ engines: [0] });
  const draft = (numDrafts: number, ...numAcceptedTokensPerPos: readonly number[]) =>
    rig.stats({ specDecodingStats: { numDrafts, numDraftTokens: numDrafts, numAcceptedTokensPerPos } });
  draft(1000, 1000);
  const second = rig.sibling({ engines: [0] });
  const entries = logged(second, 2, () => draft(10, 5, 1));
  expect(entries.map(({ stats }) => stats.specDecoding?.perPositionAcceptanceRates)).toEqual([
    [0.5, 0.1],
    [0.5, 0.1],
  ]);
});

/*
 * A finding of our own: with one model under two prefixes, `removeEngine` of one hid for good the in-flight gauge that
 * the other still used.
 */
it('an engine removed under one prefix stays for the other: the in-flight gauge is of both', async () => {
  const rig = new Rig({ engines: [0] });
  const other = rig.sibling({ prefix: 'other:', engines: [0] });
  rig.metrics.removeEngine(0);
  expect(await rig.value(IN_FLIGHT)).toBe(0);
  const live = other.request();
  expect(await rig.value(IN_FLIGHT)).toBe(1);
  other.metrics.removeEngine(0);
  expect(await rig.value(IN_FLIGHT)).toBe(1);
  live.finish();
  expect(await rig.value(IN_FLIGHT)).toBeUndefined();
  other.metrics.forEngine(0);
  expect(await rig.value(IN_FLIGHT)).toBe(0);
  other.metrics.dispose();
  expect(await rig.value(IN_FLIGHT)).toBeUndefined();
});

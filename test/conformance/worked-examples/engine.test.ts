/** Worked examples 8 to 11 of upstream's own tests: bounds, connectors, tiers and adapters. */
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type EngineCoreEventType,
  type EngineCoreStreamOutput,
  renderMetrics,
  tagEngine,
  withRequestMetrics,
} from '../../../src/index.js';
import { engineOutput, readSamples } from '../../../src/testing/index.js';
import type { Recording } from '../../support/recording.js';
import { bounds, familiesOf } from '../scrapes/page.js';
import { serving } from '../used-metrics.js';
import { Example } from './example.js';

it.each([
  [100, [1, 2, 5, 10, 20, 50, 100]],
  [1024, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000]],
  [32_768, [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 20_000]],
])('8: token bounds of a context of %i', async (maxModelLen, expected) => {
  const page = familiesOf(await renderMetrics(serving({ maxModelLen }).registry));

  expect(bounds(page.get('vllm:request_prompt_tokens')!)).toEqual([
    ...expected.map((le) => `${le}.0`),
    '+Inf',
  ]);
});

it('8: the histograms whose bounds an option replaces are 19', async () => {
  const replaced = [0.5];
  const families = ['requestLatency', 'timeToFirstToken', 'interTokenLatency', 'iterationTokens'] as const;
  const others = ['requestParamsN', 'requestNumPreemptions', 'requestTokens', 'kvCacheResidency'] as const;
  const buckets = Object.fromEntries([...families, ...others].map((family) => [family, replaced]));
  const page = [...familiesOf(await renderMetrics(serving({ buckets }).registry))];

  expect(page.filter(([, family]) => bounds(family).join() === '0.5,+Inf')).toHaveLength(19);
});

const EXAMPLE_9 = {
  nixl_xfer_time_seconds_sum: 0.03,
  nixl_xfer_time_seconds_count: 2,
  nixl_post_time_seconds_sum: 0.003,
  nixl_post_time_seconds_count: 2,
  nixl_bytes_transferred_sum: 12_288,
  nixl_bytes_transferred_count: 2,
  nixl_num_descriptors_sum: 6,
  nixl_num_descriptors_count: 2,
  nixl_num_kv_expired_reqs_total: 1,
  'mooncake_store_operation_time_seconds_sum{load_get,ok}': 0.05,
  'mooncake_store_operation_time_seconds_count{load_get,ok}': 1,
  'mooncake_store_operation_total{load_get,ok}': 1,
  'mooncake_store_operation_keys_total{load_get,ok}': 3,
  'mooncake_store_operation_bytes_total{load_get,ok}': 1024,
  'engine_sleep_state{awake}': 1,
};

it('9: a MultiConnector of NIXL and a Mooncake store is recorded as both', async () => {
  const example = new Example([0]);
  const nixl = {
    transferDuration: [0.01, 0.02],
    postDuration: [0.001, 0.002],
    bytesTransferred: [4096, 8192],
    numDescriptors: [2, 4],
    numFailedTransfers: [],
    numFailedNotifications: [],
    numKvExpiredReqs: [1],
  };
  const get = { durationSeconds: 0.05, numKeys: 3, numBytes: 1024, status: 'ok', numFailedKeys: 0 };
  example.stats({
    kvConnectorStats: { NixlConnector: nixl, MooncakeStoreConnector: { data: { load_get: [get] } } },
  });

  expect(await example.samples()).toEqual(EXAMPLE_9);
});

it.each([
  ['a legacy payload has no tiers', { hits: 4 }, [0, 0, 0, 0, 0]],
  ['hits of host and p2p are theirs', { hits: 12, hitsBySource: { host: 8, p2p: 4 } }, [0, 8, 4, 0, 0]],
])('10: %s', async (_, connectorPrefixCacheStats, tiers) => {
  const example = new Example([0]);
  example.stats({ connectorPrefixCacheStats });

  const samples = await example.samples();
  expect(samples['external_prefix_cache_hits_total']).toBe(connectorPrefixCacheStats.hits);
  expect(
    ['device', 'host', 'p2p', 'disk', 'external_unspecified'].map(
      (source) => samples[`prompt_tokens_cached_by_source_total{${source}}`] ?? 0,
    ),
  ).toEqual(tiers);
});

describe('11: the LoRA series', () => {
  /** A request of an adapter; what it gives tells its events. */
  function adapter({ metrics }: Recording, loraName: string) {
    const outputs = new Subject<EngineCoreStreamOutput>();
    const operator = withRequestMetrics(metrics, { numPromptTokens: 1, loraName });
    const live = outputs.pipe(tagEngine(0), operator).subscribe();
    return {
      tell: (...types: EngineCoreEventType[]) =>
        outputs.next(engineOutput(0, { events: types.map((type) => ({ type, timestamp: 1 })) })),
      finish: () => outputs.next(engineOutput(1, { finishReason: 'stop' })),
      drop: () => live.unsubscribe(),
    };
  }

  async function series({ registry }: Recording): Promise<string[]> {
    return [...(await readSamples(registry)).keys()].filter((key) => key.includes('lora'));
  }

  const labels = (running: string, waiting: string) =>
    `vllm:lora_requests_info{running_lora_adapters="${running}",waiting_lora_adapters="${waiting}"}`;

  it('is one, sorted, replaced as adapters move, and gone when idle', async () => {
    const frontend = serving();
    expect(await series(frontend)).toEqual([]);
    const [b, a, c] = ['b', 'a', 'c'].map((name) => adapter(frontend, name));
    b!.tell('queued', 'scheduled');
    a!.tell('queued', 'scheduled');
    expect(await series(frontend)).toEqual([labels('a,b', 'c')]);
    c!.tell('queued', 'scheduled');
    const d = adapter(frontend, 'd');
    expect(await series(frontend)).toEqual([labels('a,b,c', 'd')]);
    for (const request of [a!, b!, c!]) request.finish();
    d.tell('queued', 'scheduled');
    expect(await series(frontend)).toEqual([labels('d', '')]);
    d.drop();
    expect(await series(frontend)).toEqual([]);
  });

  it('follows a request from waiting to running, back when preempted, and away', async () => {
    const frontend = serving();
    const request = adapter(frontend, 'x');
    expect(await series(frontend)).toEqual([labels('', 'x')]);
    request.tell('queued', 'scheduled');
    expect(await series(frontend)).toEqual([labels('x', '')]);
    request.tell('preempted');
    expect(await series(frontend)).toEqual([labels('', 'x')]);
    request.finish();
    expect(await series(frontend)).toEqual([]);
  });

  it('has an adapter in both lists while one of its requests runs and one waits', async () => {
    const frontend = serving();
    adapter(frontend, 'x').tell('queued', 'scheduled');
    adapter(frontend, 'x');
    expect(await series(frontend)).toEqual([labels('x', 'x')]);
  });
});

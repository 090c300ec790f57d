import { describe, expect, it, test } from 'vitest';
import type { StatsLogStats } from '../../../src/serving/stats-log/entry.js';
import { formatStatsLog } from '../../../src/serving/stats-log/format.js';
import { DRAFTS, DRAFTS_LINE, IDLE } from '../../support/log-figures.js';

const { engineIndex: _, ...several } = IDLE;

const THROUGHPUTS = 'Avg prompt throughput: 0.0 tokens/s, Avg generation throughput: 0.0 tokens/s';
const RATES = 'GPU KV cache usage: 0.0%, Prefix cache hit rate: 0.0%';
const QUEUES = 'Running: 0 reqs, Waiting: 0 reqs';

describe('the main line', () => {
  test.each<[string, StatsLogStats, string]>([
    ['nothing at all', IDLE, `Engine 000: ${THROUGHPUTS}, ${QUEUES}, ${RATES}`],
    [
      'both throughputs',
      { ...IDLE, promptThroughput: 474.06, generationThroughput: 6.5 },
      `Engine 000: Avg prompt throughput: 474.1 tokens/s, Avg generation throughput: 6.5 tokens/s, ${QUEUES}, ${RATES}`,
    ],
    [
      'running and waiting',
      { ...IDLE, numRunning: 6, numWaiting: 2 },
      `Engine 000: ${THROUGHPUTS}, Running: 6 reqs, Waiting: 2 reqs, ${RATES}`,
    ],
    [
      'deferred',
      { ...IDLE, numDeferred: 2 },
      `Engine 000: ${THROUGHPUTS}, ${QUEUES}, Deferred: 2 reqs, ${RATES}`,
    ],
    [
      'preemptions',
      { ...IDLE, numPreemptions: 3 },
      `Engine 000: ${THROUGHPUTS}, ${QUEUES}, Preemptions: 3, ${RATES}`,
    ],
    [
      'usage and hit rate',
      { ...IDLE, kvCacheUsage: 0.0625, prefixCacheHitRate: 0.361 },
      `Engine 000: ${THROUGHPUTS}, ${QUEUES}, GPU KV cache usage: 6.2%, Prefix cache hit rate: 36.1%`,
    ],
    [
      'corrupted',
      { ...IDLE, numCorrupted: 1 },
      `Engine 000: ${THROUGHPUTS}, ${QUEUES}, ${RATES}, Corrupted: 1 reqs`,
    ],
    [
      'the external cache, also with no hits',
      { ...IDLE, externalPrefixCacheHitRate: 0 },
      `Engine 000: ${THROUGHPUTS}, ${QUEUES}, ${RATES}, External prefix cache hit rate: 0.0%`,
    ],
    [
      'the multimodal cache',
      { ...IDLE, mmCacheHitRate: 0.515 },
      `Engine 000: ${THROUGHPUTS}, ${QUEUES}, ${RATES}, MM cache hit rate: 51.5%`,
    ],
    [
      'everything, in order',
      {
        ...IDLE,
        numDeferred: 1,
        numPreemptions: 2,
        numCorrupted: 3,
        externalPrefixCacheHitRate: 0.25,
        mmCacheHitRate: 1,
      },
      `Engine 000: ${THROUGHPUTS}, ${QUEUES}, Deferred: 1 reqs, Preemptions: 2, ${RATES}, Corrupted: 3 reqs, ` +
        'External prefix cache hit rate: 25.0%, MM cache hit rate: 100.0%',
    ],
    ['another engine', { ...IDLE, engineIndex: 12 }, `Engine 012: ${THROUGHPUTS}, ${QUEUES}, ${RATES}`],
    [
      'a four-digit engine',
      { ...IDLE, engineIndex: 1024 },
      `Engine 1024: ${THROUGHPUTS}, ${QUEUES}, ${RATES}`,
    ],
    [
      'several engines',
      { ...several, numEngines: 3 },
      `3 Engines Aggregated: ${THROUGHPUTS}, ${QUEUES}, ${RATES}`,
    ],
  ])('shows %s', (_name, stats, line) => {
    expect(formatStatsLog(stats)).toEqual([line]);
  });
});

describe('the further lines', () => {
  it('show speculative decoding without a prefix', () => {
    expect(formatStatsLog({ ...IDLE, specDecoding: DRAFTS })[1]).toBe(DRAFTS_LINE);
  });

  it('show an acceptance rate of nan if nothing was drafted', () => {
    const nothing = { ...DRAFTS, draftAcceptanceRate: Number.NaN };
    expect(formatStatsLog({ ...IDLE, specDecoding: nothing })[1]).toMatch(/Avg Draft acceptance rate: nan%$/);
  });

  test.each<[string, StatsLogStats, string]>([
    ['one engine', IDLE, 'Engine 000: '],
    ['several engines', { ...several, numEngines: 2 }, '2 Engines Aggregated: '],
  ])('show the work of %s after its prefix', (_name, stats, prefix) => {
    const mfu = { tflopsPerGpu: 44.649, gbytesPerSecondPerGpu: 1364.85 };
    expect(formatStatsLog({ ...stats, mfu })[1]).toBe(`${prefix}MFU: 44.6 TF/s/GPU 1364.8 GB/s/GPU`);
  });

  it('come in the order main, speculative decoding, work', () => {
    const mfu = { tflopsPerGpu: 1, gbytesPerSecondPerGpu: 1 };
    const lines = formatStatsLog({ ...IDLE, specDecoding: DRAFTS, mfu });
    expect(lines.map((line) => line.slice(0, 16))).toEqual([
      'Engine 000: Avg ',
      'SpecDecoding met',
      'Engine 000: MFU:',
    ]);
  });
});

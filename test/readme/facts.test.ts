/** Figures, names and lists that sentences of the README and of the benchmark's page give. */
import { describe, expect, it } from 'vitest';
import { formatStatsLog, type ServingMetricsOptions } from '../../src/index.js';
import { MAX_ABORTED_IDS } from '../../src/router/aborted-ids.js';
import { type BucketFamilies, defaultBuckets } from '../../src/serving/catalog/default-buckets.js';
import { MOONCAKE_OPERATIONS, MOONCAKE_STATUSES } from '../../src/serving/engines/connector-handles.js';
import { MAX_LIVE_ADAPTERS } from '../../src/serving/engines/lora.js';
import { readSamples, schedulerStats } from '../../src/testing/index.js';
import { OUT_OF_SCOPE_NAMES } from '../conformance/scrapes/scope.js';
import { serving } from '../conformance/used-metrics.js';
import { idleSize } from './costs-table.js';
import { type Document, readDocument } from './readme.js';

/** Line breaks fall where they may. */
function textOf(document: Document): string {
  return readDocument(document).replace(/\s+/g, ' ');
}

const README = textOf('README.md');
const COSTS = textOf('test/bench/README.md');

function section(heading: string, document: Document = 'README.md'): string {
  const text = readDocument(document);
  const start = text.indexOf(`# ${heading}\n`);
  expect(start, heading).toBeGreaterThan(0);
  return text.slice(start).split(/\n#+ /)[0]!;
}

function count(n: number): string {
  return Math.round(n).toLocaleString('en-US');
}

describe('the documents', () => {
  it('do the arithmetic of a fleet with the figures of real pages', async () => {
    const { series: one } = await idleSize(1, 1);
    const { series, bytes } = await idleSize(1, 64);
    const perEngine = (await idleSize(1, 2)).series - one;
    const perModel = one - perEngine;
    const fleet = 512 * perEngine;
    expect([perModel, series]).toEqual([2, perModel + 64 * perEngine]);
    for (const sentence of [
      `${perEngine} series for each engine of each model`,
      `(${(await idleSize(1, 1, { maxModelLen: 8192 })).series - perModel} with \`maxModelLen: 8192\`)`,
      `64 engines behind one frontend are ${count(series)} series and ${(bytes / 1e6).toFixed(1)} MB a scrape`,
      `${count(series / 15)} samples and ${count(bytes / 15 / 1000)} kB a second`,
      `are ${count(fleet)} series and ${count(fleet / 15)} samples a second in all`,
      `it is ${count(8 * fleet)}`,
    ])
      expect(COSTS).toContain(sentence);
    expect(README).toContain(`an engine that may lie about its index can add ${perEngine} series`);
  });

  it('know what connectors and drafts add', async () => {
    const { registry, batches } = serving();
    batches.next({ engineIndex: 0, timestamp: 1, outputs: [] }); // its first step adds a series of its own
    const before = (await readSamples(registry)).size;
    const operation = { durationSeconds: 1, numKeys: 1, numBytes: 1, status: 'ok', numFailedKeys: 0 };
    const kvConnectorStats = { load_get: [operation] };
    const step = { engineIndex: 0, timestamp: 1, outputs: [] };
    batches.next({ ...step, schedulerStats: schedulerStats({ kvConnectorStats }) });
    const added = (await readSamples(registry)).size - before;
    const most = added * MOONCAKE_OPERATIONS.length * MOONCAKE_STATUSES.length;
    expect(COSTS).toContain(`${added} for each operation and outcome of a Mooncake store (up to ${most})`);
  });

  it('know the caps', () => {
    expect(README).toContain(`the last ${count(MAX_ABORTED_IDS)} aborted ids`);
    expect(README).toContain(`${count(MAX_LIVE_ADAPTERS)} adapters at a time for each instance`);
  });

  it('list every option', () => {
    const options: Readonly<Record<keyof ServingMetricsOptions, true>> = {
      ...{ registry: true, modelName: true, engines: true, maxModelLen: true, buckets: true },
      ...{
        prefix: true,
        maxLora: true,
        numSpecTokens: true,
        clock: true,
        unknownIntervals: true,
        profile: true,
        engineNames: true,
        onDiagnostic: true,
      },
    };
    const rows = section('Options and errors').matchAll(/^\| `(\w+)` \|/gm);
    expect([...rows].map(([, name]) => name)).toEqual(Object.keys(options));
  });

  it('list every family of buckets', () => {
    const families = Object.keys(defaultBuckets(undefined)) as (keyof BucketFamilies)[];
    for (const family of families) expect(section('Options and errors')).toContain(`\`${family}\``);
  });

  it('name all that vLLM exports and this library does not', () => {
    const named = [
      ...section('Not exported', 'src/serving/catalog/README.md').matchAll(/`((?:vllm:|http_)[\w*]+)`/g),
    ].map(([, name]) => name!);
    const patterns = named.map((name) => new RegExp(`^${name.replace('*', '\\w*')}$`));
    const names = [...OUT_OF_SCOPE_NAMES];
    expect(names.filter((name) => !patterns.some((pattern) => pattern.test(name)))).toEqual([]);
    expect(named.filter((_, i) => !names.some((name) => patterns[i]!.test(name)))).toEqual([]);
  });

  it('show a line of the stats log as it is', () => {
    const [line] = formatStatsLog({
      ...{ promptThroughput: 4064, generationThroughput: 1300.3, numEngines: 2 },
      ...{ numRunning: 11, numWaiting: 0, numDeferred: 0, numPreemptions: 12, numCorrupted: 0 },
      ...{ kvCacheUsage: 0.4, prefixCacheHitRate: 0 },
    });
    expect(readDocument('README.md')).toContain(`\n${line}\n`);
  });
});

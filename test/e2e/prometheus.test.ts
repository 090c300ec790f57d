/** A real Prometheus scrapes a live server of ours; what dashboards ask of vLLM is asked of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderMetrics } from '../../src/index.js';
import { type LiveServer, MODEL_NAME, serveLive } from './live-server.js';
import { eventually, ROOT } from './processes.js';
import { Prometheus } from './prometheus.js';
import { publicQueries } from './public-queries.js';

let live: LiveServer;
let prometheus: Prometheus;

/** `pods`: text; `open-metrics`: the other format; `kserve`: text, renamed as RHOAI does it. */
function configFor(port: number): object {
  const job = (name: string, path: string, extra: object = {}) => ({
    job_name: name,
    metrics_path: path,
    static_configs: [{ targets: [`127.0.0.1:${port}`], labels: { namespace: 'llm-serving', pod: 'pod-0' } }],
    ...extra,
  });
  const renamed = { source_labels: ['__name__'], regex: '(vllm:.+)', target_label: '__name__' };
  return {
    global: { scrape_interval: '1s', scrape_timeout: '1s' },
    scrape_configs: [
      job('pods', '/metrics'),
      job('open-metrics', '/openmetrics'),
      job('kserve', '/metrics', { metric_relabel_configs: [{ ...renamed, replacement: 'kserve_$1' }] }),
    ],
  };
}

async function boundsOnPage(): Promise<string[]> {
  const page = await renderMetrics(live.registry);
  const lines = page.matchAll(/^vllm:time_to_first_token_seconds_bucket\{engine="0",le="([^"]+)"/gm);
  return [...lines].map(([, le]) => le!);
}

/** The only value of an instant query. */
async function numberOf(expr: string): Promise<number> {
  const result = await prometheus.query(expr);
  expect(result.length, expr).toBe(1);
  return Number(result[0]!.value[1]);
}

beforeAll(async () => {
  live = await serveLive();
  prometheus = await Prometheus.start(configFor(live.port));
  const scrapes = 'min(count_over_time(up[1h]))';
  await eventually(async () => ((await numberOf(scrapes)) >= 8 ? true : undefined), 60);
});

afterAll(async () => {
  await prometheus?.stop();
  await live?.stop();
});

describe('Prometheus', () => {
  it('scrapes every job without an error', async () => {
    const targets = await prometheus.targets();
    expect(targets.map(({ scrapePool }) => scrapePool).sort()).toEqual(['kserve', 'open-metrics', 'pods']);
    expect(targets.map(({ health, lastError }) => [health, lastError])).toEqual(Array(3).fill(['up', '']));
    expect(await numberOf('min(min_over_time(up[1h]))')).toBe(1);
  });

  it('asks for OpenMetrics, and takes either format by its content type', async () => {
    expect(live.accepted.get('/metrics')).toContain('application/openmetrics-text');
    const series = (job: string) => `count({job="${job}", __name__=~"vllm:.+"})`;
    expect(await numberOf(series('open-metrics'))).toBe(await numberOf(series('pods')));
  });

  it('takes every sample of the page', async () => {
    const page = await renderMetrics(live.registry);
    const lines = page.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(await numberOf('max(scrape_samples_scraped{job="pods"})')).toBe(lines.length);
  });

  it('has the bounds as the page spells them', async () => {
    const bounds = await prometheus.labelValues('vllm:time_to_first_token_seconds_bucket{job="pods"}', 'le');
    expect(bounds).toEqual(expect.arrayContaining(['0.001', '0.25', '1.0', '10.0', '2560.0', '+Inf']));
    expect([...bounds].sort()).toEqual((await boundsOnPage()).sort());
  });

  it('finds every ending, those that did not happen at 0', async () => {
    const reasons = 'sum by (finished_reason) (vllm:request_success_total{job="pods"})';
    const counts = new Map(
      (await prometheus.query(reasons)).map(({ metric, value }) => [
        metric['finished_reason'],
        Number(value[1]),
      ]),
    );
    expect([...counts.keys()].sort()).toEqual(['abort', 'error', 'length', 'repetition', 'stop']);
    expect(counts.get('abort')).toBeGreaterThan(0);
    expect(counts.get('repetition')).toBe(0);
  });

  it('computes quantiles, rates and joins on (model_name, engine)', async () => {
    const quantile =
      'histogram_quantile(0.9, sum by (le) (rate(vllm:inter_token_latency_seconds_bucket{job="pods"}[6s])))';
    expect(await numberOf(quantile)).toBeGreaterThan(0.001);
    expect(await numberOf('sum(rate(vllm:generation_tokens_total{job="pods"}[6s]))')).toBeGreaterThan(100);
    const load = 'vllm:num_requests_running{job="pods"} + vllm:num_requests_waiting{job="pods"}';
    const engines = (await prometheus.query(load)).map(({ metric }) => metric['engine']);
    expect(engines.sort()).toEqual(['0', '1']);
  });
});

describe("the README's queries", () => {
  it('are answered', async () => {
    const blocks = readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/^```promql\n([\s\S]*?)^```$/gm);
    const lines = [...blocks].flatMap(([, block]) => block!.trim().split('\n'));
    const queries = lines.filter((line) => !line.startsWith('#'));
    expect(queries.length).toBeGreaterThan(5);
    for (const query of queries) {
      const result = await prometheus.query(query.replaceAll('[5m]', '[6s]'));
      expect(result.length, query).toBeGreaterThan(0);
      expect(
        result.filter(({ value }) => value[1] === 'NaN'),
        query,
      ).toEqual([]);
    }
  });
});

describe('public queries', () => {
  it('are answered where vLLM answers them', async () => {
    const { answered } = publicQueries(MODEL_NAME, `127.0.0.1:${live.port}`);
    for (const { expr } of answered) {
      const result = await prometheus.query(expr);
      expect(result.length, expr).toBeGreaterThan(0);
      expect(
        result.filter(({ value }) => value[1] === 'NaN'),
        expr,
      ).toEqual([]);
    }
  });

  it('are empty where vLLM has nothing', async () => {
    const { empty } = publicQueries(MODEL_NAME, `127.0.0.1:${live.port}`);
    for (const { expr } of empty) expect(await prometheus.query(expr), expr).toEqual([]);
  });
});

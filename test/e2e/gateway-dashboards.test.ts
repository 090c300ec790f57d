/** Public queries for vLLM, asked of an engine's frontend and of a gateway that saw the same requests. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readFixture } from '../support/fixtures.js';
import { SECONDS, twinPages } from './gateway-traffic.js';
import { Prometheus } from './prometheus.js';

const START = 1_700_000_000;
const NOW: number = START + SECONDS;
/** Labels that a user picks in a dashboard, or that a platform sets. */
const PICKED = /\b(model_name|namespace|job|pod|service|instance|container|engine)\s*=~?\s*(["'])[^"']*\2/g;

/** Picks everything, in windows of five minutes, with names as on the page. */
function filledIn(expr: string): string {
  return (
    expr
      .replaceAll(/\[(?:\$|\{\{|\d+[smhdw])[^\]]*\]/g, (window) =>
        window.includes(':') ? '[5m:5s]' : '[5m]',
      )
      .replace(/^label_values\((.*), *(\w+)\)$/s, 'count by ($2) ($1)')
      .replaceAll(/\/ ?(?:1m|\$\{__interval\})/g, '/ 60')
      .replaceAll('$ttft_slo', '0.25')
      .replaceAll('$tpot_slo', '0.05')
      .replaceAll(PICKED, '$1=~".*"')
      .replaceAll(/WorkerId=~"\$workerid", \{global_filters\}/g, 'pod=~".*"')
      // Quoted names are Prometheus 3's; the test's is the 2 of Debian.
      .replaceAll(/"(\w+)"(?==)/g, '$1')
      .replaceAll(/\bby \("[^)]*\)/g, (labels) => labels.replaceAll('"', ''))
      .replaceAll(/(?:kserve_|ray_)vllm[:_]/g, 'vllm:')
  );
}

/** No queries before a program has filled them in. */
const TEMPLATE = /<<|bool %|\{\{ include/;
/** Take what is not on a page for a 0, or for a fault: for an engine's page only. */
const ABSENCE_SAYS_SOMETHING: readonly string[] = [
  '(avg(vllm:kv_cache_usage_perc{namespace=~".*",service=~".*"}) * 100) or vector(0)',
  'absent(vllm:num_requests_running)',
  'avg(vllm:kv_cache_usage_perc{namespace=~".*",service=~".*"}) or vector(0)',
  'sum(vllm:num_requests_running{namespace=~".*",service=~".*"}) or vector(0)',
  'sum(vllm:num_requests_waiting{namespace=~".*",service=~".*"}) or vector(0)',
];

const rows = readFixture<readonly { readonly expr: string }[]>('vllm/promql-consumers.json');
const published = rows.map(({ expr }) => expr).filter((expr) => !TEMPLATE.test(expr));
const QUERIES: readonly string[] = [...new Set(published.map(filledIn))];
type Answer = ReadonlyMap<string, number>;

let engine: Prometheus;
let gateway: Prometheus;

async function ask(server: Prometheus, expr: string): Promise<Answer> {
  const result = await server.query(expr, NOW);
  return new Map(
    result.map(({ metric, value }) => [JSON.stringify(Object.entries(metric).sort()), Number(value[1])]),
  );
}

/** The two sum up times of two clocks, which differ by rounding. */
function isTrue(value: number, truth: number | undefined): boolean {
  if (truth === undefined || !Number.isFinite(truth)) return Object.is(value, truth);
  return Math.abs(value - truth) <= 1e-9 * Math.abs(truth);
}

function verdict(said: Answer, truth: Answer): 'true' | 'false' | 'nothing' {
  if (said.size === 0) return 'nothing';
  return [...said].every(([series, value]) => isTrue(value, truth.get(series))) ? 'true' : 'false';
}

beforeAll(async () => {
  const pages = await twinPages('llama-3.1-8b', START);
  engine = await Prometheus.start({}, pages.engine);
  gateway = await Prometheus.start({}, pages.gateway);
});

afterAll(async () => {
  await engine?.stop();
  await gateway?.stop();
});
describe("a gateway's page under the public queries for vLLM", () => {
  it('gives a true value or none', async () => {
    const found = { true: [] as string[], false: [] as string[], nothing: [] as string[] };
    for (const expr of QUERIES) {
      const [said, truth] = await Promise.all([ask(gateway, expr), ask(engine, expr)]);
      found[verdict(said, truth)].push(expr);
    }
    expect(found.false.sort()).toEqual(ABSENCE_SAYS_SOMETHING);
    expect(QUERIES.length).toBeGreaterThan(900);
    expect(found.true.length).toBeGreaterThan(400);
  });

  it.each([
    'sum(rate(vllm:generation_tokens_total[5m]))',
    'histogram_quantile(0.99, sum by (le) (rate(vllm:time_to_first_token_seconds_bucket[5m])))',
    'sum by (finished_reason) (increase(vllm:request_success_total[5m]))',
  ])('answers %s', async (expr) => {
    const said = await ask(gateway, expr);
    expect(verdict(said, await ask(engine, expr))).toBe('true');
    expect(Math.max(...said.values())).toBeGreaterThan(0);
  });

  it.each(['vllm:num_requests_waiting', 'vllm:kv_cache_usage_perc', 'vllm:request_queue_time_seconds_sum'])(
    'says nothing of %s',
    async (expr) => {
      expect(await ask(gateway, expr)).toEqual(new Map());
      expect(Math.max(...(await ask(engine, expr)).values())).toBeGreaterThan(0);
    },
  );
});

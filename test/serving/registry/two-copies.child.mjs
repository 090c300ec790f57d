/** Both builds of the package in one process, on one registry. Argument: the folder of the builds. Prints JSON. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Registry } from 'prom-client';
import { Subject } from 'rxjs';

const folder = pathToFileURL(`${process.argv[2]}/`);
const esm = await import(new URL('esm/index.js', folder));
const { engineOutput, readSamples } = await import(new URL('esm/testing/index.js', folder));
const cjs = createRequire(folder)('./cjs/index.js');

const registry = new Registry();
const steps = {};
const value = async (key) => (await readSamples(registry)).get(key) ?? null;
const SUCCESS = 'vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"}';
const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight{engine="0",model_name="m"}';
const RUNNING = 'vllm:num_requests_running{engine="0",model_name="m"}';
const E2E = 'vllm:e2e_request_latency_seconds_count{engine="0",model_name="m"}';

function request(copy, metrics, info = {}) {
  const source = new Subject();
  source.pipe(copy.withRequestMetrics(metrics, { numPromptTokens: 1, engineIndex: 0, ...info })).subscribe();
  return { finish: () => source.next(engineOutput(1, { finishReason: 'stop' })) };
}

function step(copy, metrics, schedulerStats) {
  const source = new Subject();
  source.pipe(copy.withSchedulerMetrics(metrics)).subscribe();
  source.next({ engineIndex: 0, outputs: [], timestamp: 0, schedulerStats });
}

const first = new esm.ServingMetrics({ registry, modelName: 'm', engines: [0] });
const second = new cjs.ServingMetrics({ registry, modelName: 'm', engines: [0] });
steps.differentClasses = !(second instanceof esm.ServingMetrics);
steps.families = new Set(registry.getMetricsAsArray().map(({ name }) => name)).size;
steps.registered = registry.getMetricsAsArray().length;

request(esm, first).finish();
request(cjs, second).finish();
steps.success = await value(SUCCESS);
steps.observed = await value(E2E);

const live = [request(esm, first, { loraName: 'a' }), request(cjs, second, { loraName: 'b' })];
steps.inFlight = await value(IN_FLIGHT);
steps.lora = [...(await readSamples(registry)).keys()].filter((key) => key.includes('lora'));

step(esm, first, { numRunningReqs: 3 });
second.removeEngine(0);
steps.removed = [await value(RUNNING), await value(IN_FLIGHT)];
live[0].finish();
live[1].finish();
steps.inFlightAfterRemoved = await value(IN_FLIGHT);
second.forEngine(0);
step(cjs, second, { numRunningReqs: 4 });
steps.back = await value(RUNNING);

const N = 'vllm:request_params_n_sum{engine="0",model_name="m"}';
const before = await value(N);
const parent = first.parallelSampling(2);
request(esm, first, { parent }).finish();
request(cjs, second, { parent }).finish();
steps.n = (await value(N)) - before;

second.setCacheConfig(0, { a: 1 });
first.setSleepState(0, 'discard_all');
first.dispose();
steps.afterFirst = [
  await value(SUCCESS),
  await value('vllm:cache_config_info{a="1",engine="0"}'),
  await value('vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="discard_all"}'),
];
try {
  new esm.ServingMetrics({ registry, modelName: 'm', buckets: { requestParamsN: [1] } });
} catch (error) {
  steps.conflict = error.message;
}
// The copy that made the families is gone: the other one's renderer still has to know them as its own.
steps.page = (await cjs.renderMetrics(registry)).includes(
  'vllm:e2e_request_latency_seconds_bucket{engine="0",le="1.0",model_name="m"}',
);
second.dispose();
steps.left = registry.getMetricsAsArray().length;
console.log(JSON.stringify(steps));

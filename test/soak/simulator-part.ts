/** A part of the requests, through the simulator: real scheduling, preemptions under KV pressure, aborts. */
import { Registry } from 'prom-client';
import { takeWhile, VirtualTimeScheduler } from 'rxjs';
import { OutputRouter, ServingMetrics, withRequestMetrics, withSchedulerMetrics } from '../../src/index.js';
import { type EngineFleet, type SimulatedRequest, simulateEngines } from '../../src/simulator/index.js';
import { readSamples } from '../../src/testing/index.js';
import type { Ledger } from './ledger.js';
import { Random } from './random.js';

const MODEL = 'simulated';

function* workload(numRequests: number, random: Random): Generator<SimulatedRequest> {
  let arrivalTimeMs = 0;
  for (let i = 0; i < numRequests; i++) {
    arrivalTimeMs += random.below(6);
    yield {
      requestId: `simulated-${i}`,
      numPromptTokens: 1 + random.below(100),
      numOutputTokens: 1 + random.below(40),
      arrivalTimeMs,
      ...(random.chance(0.1) && { loraName: `adapter-${random.below(8)}` }),
    };
  }
}

function fleetOf(numRequests: number, scheduler: VirtualTimeScheduler, random: Random): EngineFleet {
  return simulateEngines({
    engines: 2,
    seed: random.below(1e9),
    scheduler,
    requests: workload(numRequests, random),
    numKvBlocks: 160,
    maxModelLen: 200,
    errorRate: 0.02,
  });
}

/** Runs so many requests, and checks that each has one record and that the identities hold. */
export async function simulatorPart(numRequests: number, seed: number, ledger: Ledger): Promise<void> {
  const random = new Random(seed);
  const registry = new Registry();
  const scheduler = new VirtualTimeScheduler(undefined, Number.POSITIVE_INFINITY);
  const metrics = new ServingMetrics({ registry, modelName: MODEL, engines: [0, 1], clock: scheduler });
  const fleet = fleetOf(numRequests, scheduler, random);
  const router = new OutputRouter();
  let ended = 0;
  fleet.submitted$.subscribe(({ request: { requestId, numPromptTokens }, engineIndex, arrivalTimeMs }) => {
    ledger.started++;
    let left = random.chance(0.1) ? 1 + random.below(20) : Number.POSITIVE_INFINITY;
    if (Number.isFinite(left)) ledger.fault('take while (simulator)');
    const onAbort = (): void => fleet.abort(engineIndex, [requestId]);
    const info = { numPromptTokens, arrivalTimeMs };
    const stream = router.open(requestId, engineIndex, { onAbort }).pipe(withRequestMetrics(metrics, info));
    stream.pipe(takeWhile(() => left-- > 0)).subscribe({ complete: () => ended++ });
  });
  fleet.batches$.pipe(withSchedulerMetrics(metrics)).subscribe(router);
  scheduler.flush();
  if (ended !== numRequests) ledger.problem(`simulator: ${ended} of ${numRequests} streams ended`);
  if (metrics.inFlight !== 0) ledger.problem(`simulator: ${metrics.inFlight} in flight`);
  ledger.recorded += check(await readSamples(registry), numRequests, ledger);
}

/** Gives the number of terminal records. */
function check(samples: ReadonlyMap<string, number>, numRequests: number, ledger: Ledger): number {
  const sum = (family: string): number => {
    let total = 0;
    for (const [key, value] of samples) if (key.startsWith(`vllm:${family}{`)) total += value;
    return total;
  };
  const same = (what: string, one: number, other: number): void => {
    if (one !== other) ledger.problem(`simulator: ${what}, ${one} and ${other}`);
  };
  const recorded = sum('request_success_total');
  same('requests and their records', numRequests, recorded);
  same('requests and their latencies', numRequests, sum('e2e_request_latency_seconds_count'));
  same('generated tokens', sum('generation_tokens_total'), sum('request_generation_tokens_sum'));
  same('preemptions', sum('num_preemptions_total'), sum('request_num_preemptions_sum'));
  return recorded;
}

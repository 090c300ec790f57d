/** An engine that was removed, and what of it is on the page. */
import { Rig } from '../../support/rig.js';

export const STATE: readonly string[] = [
  'vllm:num_requests_running',
  'vllm:num_requests_waiting',
  'vllm:num_requests_waiting_by_reason',
  'vllm:kv_cache_usage_perc',
  'vllm:engine_sleep_state',
  'vllm:cache_config_info',
];

export const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';

export const STATS = { numRunningReqs: 3, numWaitingReqs: 2, numSkippedWaitingReqs: 1, kvCacheUsage: 0.5 };

/** Families that say what engine 0 is doing and are on the page. */
export async function shown(rig: Rig, engine = 0): Promise<string[]> {
  const keys = [...(await rig.samples()).keys()].filter((key) => key.includes(`engine="${engine}"`));
  return STATE.filter((name) => keys.some((key) => key.startsWith(`${name}{`)));
}

/** Running, waiting, waiting for capacity, deferred, KV usage, awake. */
export const gauges = (rig: Rig): Promise<(number | undefined)[]> =>
  Promise.all([
    rig.value('vllm:num_requests_running'),
    rig.value('vllm:num_requests_waiting'),
    rig.value('vllm:num_requests_waiting_by_reason', 0, 'reason="capacity"'),
    rig.value('vllm:num_requests_waiting_by_reason', 0, 'reason="deferred"'),
    rig.value('vllm:kv_cache_usage_perc'),
    rig.value('vllm:engine_sleep_state', 0, 'sleep_state="awake"'),
  ]);

/** An engine with figures of every kind, then removed. */
export function removed(): Rig {
  const rig = new Rig({ engines: [0, 1] });
  rig.stats(STATS);
  rig.metrics.setSleepState(0, 'discard_all');
  rig.metrics.setCacheConfig(0, { block_size: 16 });
  rig.request().output(1).finish({ timestamp: 1 });
  rig.metrics.removeEngine(0);
  return rig;
}

/** Connector payloads, and what they move on the page. */
import type { SchedulerStats } from '../../../src/index.js';
import type { Rig } from '../../support/rig.js';

export const record = (rig: Rig, kvConnectorStats: unknown): void =>
  rig.stats({ kvConnectorStats } as unknown as SchedulerStats);

/** The connector families' samples that are not 0, `vllm:` and model left out; buckets too. */
export async function moved(rig: Rig): Promise<Record<string, number>> {
  const entries = [...(await rig.samples())].filter(
    ([key, value]) => /^vllm:(nixl|mooncake)/.test(key) && !key.includes('_bucket') && value !== 0,
  );
  return Object.fromEntries(
    entries.map(([key, value]) => [
      key
        .replace(/^vllm:(?:nixl_|mooncake_store_operation_?)/, '')
        .replace('engine="0",', '')
        .replace(/,?model_name="m",?/, '')
        .replace('{}', ''),
      value,
    ]),
  );
}

export const NIXL: Readonly<Record<string, readonly number[]>> = {
  transferDuration: [0.25, 0.5],
  postDuration: [0.125, 0.125],
  bytesTransferred: [1024, 4096],
  numDescriptors: [10, 30],
  numFailedTransfers: [1],
  numFailedNotifications: [1, 1],
  numKvExpiredReqs: [3],
};

export const NIXL_MOVED: Readonly<Record<string, number>> = {
  xfer_time_seconds_count: 2,
  xfer_time_seconds_sum: 0.75,
  post_time_seconds_count: 2,
  post_time_seconds_sum: 0.25,
  bytes_transferred_count: 2,
  bytes_transferred_sum: 5120,
  num_descriptors_count: 2,
  num_descriptors_sum: 40,
  num_failed_transfers_total: 1,
  num_failed_notifications_total: 2,
  num_kv_expired_reqs_total: 3,
};

export const operation = (over: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...{ durationSeconds: 0.5, numKeys: 4, numBytes: 100, status: 'ok', numFailedKeys: 0 },
  ...over,
});

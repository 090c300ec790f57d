/** Payloads of connectors, and what they come to. */
import { expect } from 'vitest';
import type { Samples } from '../../support/samples.js';
import type { Expected, Served } from './serve.js';
import { sendStats } from './step.js';

export const payload = (kvConnectorStats: unknown): Promise<Served> => sendStats({ kvConnectorStats });
export const record: Readonly<Record<string, number | string>> = {
  durationSeconds: 0.5,
  numKeys: 3,
  numBytes: 1024,
  status: 'ok',
  numFailedKeys: 1,
};
export const nixl: Readonly<Record<string, number[]>> = {
  transferDuration: [0.1, 0.2],
  postDuration: [0.01, 0.02],
  bytesTransferred: [8, 16],
  numDescriptors: [2, 4],
  numFailedTransfers: [1],
  numFailedNotifications: [2],
  numKvExpiredReqs: [3],
};

/** What `nixl` comes to. */
export const ofNixl: Expected = {
  nixl_xfer_time_seconds: [2, expect.closeTo(0.3) as number],
  nixl_post_time_seconds: [2, expect.closeTo(0.03) as number],
  nixl_bytes_transferred: [2, 24],
  nixl_num_descriptors: [2, 6],
  nixl_num_failed_transfers_total: 1,
  nixl_num_failed_notifications_total: 2,
  nixl_num_kv_expired_reqs_total: 3,
};

/** Operations by `operation/status`. */
export function operations({ all: samples }: Samples): Record<string, number> {
  const found: Record<string, number> = {};
  for (const [key, value] of samples) {
    const labels = /mooncake_store_operation_total\{.*operation="([^"]*)",status="([^"]*)"/u.exec(key);
    if (labels !== null) found[`${labels[1]}/${labels[2]}`] = value;
  }
  return found;
}

/**
 * The families of KV connectors, one row each.
 * @see vllm/distributed/kv_transfer/kv_connector/v1/nixl, …/mooncake; Rust since pull request 52755
 */

import {
  MOONCAKE_SECONDS,
  NIXL_BYTES,
  NIXL_DESCRIPTORS,
  NIXL_POST_SECONDS,
  NIXL_XFER_SECONDS,
} from './default-buckets.js';
import { type CounterRow, counter, type HistogramRow, histogram } from './row.js';

type ConnectorCounter =
  | 'nixlNumFailedTransfers'
  | 'nixlNumFailedNotifications'
  | 'nixlNumKvExpiredReqs'
  | 'mooncakeStoreOperation'
  | 'mooncakeStoreOperationKeys'
  | 'mooncakeStoreOperationBytes'
  | 'mooncakeStoreOperationFailedKeys';

type ConnectorHistogram =
  | 'nixlXferTimeSeconds'
  | 'nixlPostTimeSeconds'
  | 'nixlBytesTransferred'
  | 'nixlNumDescriptors'
  | 'mooncakeStoreOperationTimeSeconds';

const BY_OPERATION = ['operation', 'status'] as const;

export const CONNECTOR_HISTOGRAMS: Readonly<Record<ConnectorHistogram, HistogramRow>> = {
  nixlXferTimeSeconds: histogram(
    'nixl_xfer_time_seconds',
    'Seconds of each NIXL transfer.',
    NIXL_XFER_SECONDS,
  ),
  nixlPostTimeSeconds: histogram(
    'nixl_post_time_seconds',
    'Seconds to post each NIXL transfer.',
    NIXL_POST_SECONDS,
  ),
  nixlBytesTransferred: histogram('nixl_bytes_transferred', 'Bytes of each NIXL transfer.', NIXL_BYTES),
  nixlNumDescriptors: histogram(
    'nixl_num_descriptors',
    'Descriptors of each NIXL transfer.',
    NIXL_DESCRIPTORS,
  ),
  mooncakeStoreOperationTimeSeconds: histogram(
    'mooncake_store_operation_time_seconds',
    'Seconds of each Mooncake store operation.',
    MOONCAKE_SECONDS,
    ...BY_OPERATION,
  ),
};

export const CONNECTOR_COUNTERS: Readonly<Record<ConnectorCounter, CounterRow>> = {
  nixlNumFailedTransfers: counter('nixl_num_failed_transfers', 'NIXL transfers that failed.'),
  nixlNumFailedNotifications: counter('nixl_num_failed_notifications', 'NIXL notifications that failed.'),
  nixlNumKvExpiredReqs: counter('nixl_num_kv_expired_reqs', 'Requests whose KV expired before it was read.'),
  mooncakeStoreOperation: counter('mooncake_store_operation', 'Mooncake store operations.', ...BY_OPERATION),
  mooncakeStoreOperationKeys: counter(
    'mooncake_store_operation_keys',
    'Keys of Mooncake store operations.',
    ...BY_OPERATION,
  ),
  mooncakeStoreOperationBytes: counter(
    'mooncake_store_operation_bytes',
    'Bytes of Mooncake store operations.',
    ...BY_OPERATION,
  ),
  mooncakeStoreOperationFailedKeys: counter(
    'mooncake_store_operation_failed_keys',
    'Keys that failed in Mooncake store operations.',
    ...BY_OPERATION,
  ),
};

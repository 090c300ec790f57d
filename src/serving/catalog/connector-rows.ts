/**
 * The families of KV connectors, one row each.
 * @see vllm/distributed/kv_transfer/kv_connector/v1/nixl, …/mooncake; Rust since pull request 52755
 */

export const CONNECTOR_HISTOGRAMS = {
  nixlXferTimeSeconds: {
    type: 'histogram',
    name: 'nixl_xfer_time_seconds',
    help: 'Seconds of each NIXL transfer.',
    buckets: 'nixlXferSeconds',
  },
  nixlPostTimeSeconds: {
    type: 'histogram',
    name: 'nixl_post_time_seconds',
    help: 'Seconds to post each NIXL transfer.',
    buckets: 'nixlPostSeconds',
  },
  nixlBytesTransferred: {
    type: 'histogram',
    name: 'nixl_bytes_transferred',
    help: 'Bytes of each NIXL transfer.',
    buckets: 'nixlBytes',
  },
  nixlNumDescriptors: {
    type: 'histogram',
    name: 'nixl_num_descriptors',
    help: 'Descriptors of each NIXL transfer.',
    buckets: 'nixlDescriptors',
  },
  mooncakeStoreOperationTimeSeconds: {
    type: 'histogram',
    name: 'mooncake_store_operation_time_seconds',
    help: 'Seconds of each Mooncake store operation.',
    buckets: 'mooncakeSeconds',
    labels: ['operation', 'status'],
  },
} as const;

export const CONNECTOR_COUNTERS = {
  nixlNumFailedTransfers: {
    type: 'counter',
    name: 'nixl_num_failed_transfers_total',
    help: 'NIXL transfers that failed.',
  },
  nixlNumFailedNotifications: {
    type: 'counter',
    name: 'nixl_num_failed_notifications_total',
    help: 'NIXL notifications that failed.',
  },
  nixlNumKvExpiredReqs: {
    type: 'counter',
    name: 'nixl_num_kv_expired_reqs_total',
    help: 'Requests whose KV expired before it was read.',
  },
  nixlNumNotificationsAfterExpiry: {
    type: 'counter',
    name: 'nixl_num_notifications_after_expiry_total',
    help: 'Notifications of a finished read that came after the KV had expired.',
  },
  mooncakeStoreOperation: {
    type: 'counter',
    name: 'mooncake_store_operation_total',
    help: 'Mooncake store operations.',
    labels: ['operation', 'status'],
  },
  mooncakeStoreOperationKeys: {
    type: 'counter',
    name: 'mooncake_store_operation_keys_total',
    help: 'Keys of Mooncake store operations.',
    labels: ['operation', 'status'],
  },
  mooncakeStoreOperationBytes: {
    type: 'counter',
    name: 'mooncake_store_operation_bytes_total',
    help: 'Bytes of Mooncake store operations.',
    labels: ['operation', 'status'],
  },
  mooncakeStoreOperationFailedKeys: {
    type: 'counter',
    name: 'mooncake_store_operation_failed_keys_total',
    help: 'Keys that failed in Mooncake store operations.',
    labels: ['operation', 'status'],
  },
} as const;

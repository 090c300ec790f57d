/**
 * KV connectors' payloads, told apart by their shape.
 * @see vllm/distributed/kv_transfer/kv_connector/v1; rust pull request 52755
 */
import { MOONCAKE_OPERATIONS, MOONCAKE_STATUSES } from '../engines/connector-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import type { StatsSink } from './stats-sink.js';

/** As deep as MultiConnectors are followed: a hostile payload must not exhaust the stack. */
const MAX_DEPTH = 8;

type Payload = Readonly<Record<string, unknown>>;

function isPayload(value: unknown): value is Payload {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isStoreList(value: unknown): value is readonly Payload[] {
  return Array.isArray(value) && value.every((record) => isPayload(record) && 'durationSeconds' in record);
}

/** Records a payload; one of an unknown shape is ignored, without a diagnostic. */
export function recordConnector(sink: StatsSink, engine: InstanceEngine, payload: unknown, depth = 0): void {
  if (!isPayload(payload) || depth > MAX_DEPTH) return;
  if (Array.isArray(payload['transferDuration'])) {
    // Without post times it is Mooncake's transfer connector, which has no families yet.
    if (Array.isArray(payload['postDuration'])) recordNixl(sink, engine, payload);
    return;
  }
  const keys = Object.keys(payload);
  if (keys.every((key) => isStoreList(payload[key]))) recordStore(sink, engine, payload, keys);
  else if (keys.every((key) => /^[A-Z]/.test(key) && isPayload(payload[key]))) {
    for (const key of keys) recordConnector(sink, engine, unwrapped(payload[key] as Payload), depth + 1);
  }
}

/** A MultiConnector's child, which the wire wraps as `{data: child}`. */
function unwrapped(child: Payload): unknown {
  return isPayload(child['data']) && Object.keys(child).length === 1 ? child['data'] : child;
}

function recordNixl(sink: StatsSink, { nixl }: InstanceEngine, payload: Payload): void {
  sink.observeAll(nixl.xferTime, 'transferDuration', payload['transferDuration']);
  sink.observeAll(nixl.postTime, 'postDuration', payload['postDuration']);
  sink.observeAll(nixl.bytesTransferred, 'bytesTransferred', payload['bytesTransferred']);
  sink.observeAll(nixl.numDescriptors, 'numDescriptors', payload['numDescriptors']);
  sink.countAll(nixl.failedTransfers, 'numFailedTransfers', payload['numFailedTransfers']);
  sink.countAll(nixl.failedNotifications, 'numFailedNotifications', payload['numFailedNotifications']);
  sink.countAll(nixl.kvExpiredReqs, 'numKvExpiredReqs', payload['numKvExpiredReqs']);
  const { numNotificationsAfterExpiry } = payload;
  sink.countAll(nixl.notificationsAfterExpiry, 'numNotificationsAfterExpiry', numNotificationsAfterExpiry);
}

function recordStore(
  sink: StatsSink,
  engine: InstanceEngine,
  payload: Payload,
  operations: readonly string[],
): void {
  for (const operation of operations) {
    const records = payload[operation] as readonly Payload[];
    for (const record of records) recordStoreOperation(sink, engine, operation, record);
  }
}

function recordStoreOperation(
  sink: StatsSink,
  { mooncake }: InstanceEngine,
  operation: string,
  record: Payload,
): void {
  const handles = mooncake.of(
    positionOf(sink, 'operation', MOONCAKE_OPERATIONS, operation),
    positionOf(sink, 'status', MOONCAKE_STATUSES, record['status'] ?? 'ok'),
  );
  handles.operations.inc();
  sink.observe(handles.time, 'durationSeconds', record['durationSeconds']);
  sink.count(handles.keys, 'numKeys', record['numKeys']);
  sink.count(handles.bytes, 'numBytes', record['numBytes']);
  sink.count(handles.failedKeys, 'numFailedKeys', record['numFailedKeys']);
}

/** A label's position among the known ones, the last of which takes all others: the page cannot grow by them. */
function positionOf(
  sink: StatsSink,
  source: 'operation' | 'status',
  known: readonly string[],
  value: unknown,
): number {
  const position = known.indexOf(value as string);
  if (position >= 0) return position;
  sink.report(source, `expected one of ${known.slice(0, -1).join(', ')}, counted it under other`, value);
  return known.length - 1;
}

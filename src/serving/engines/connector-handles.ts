/** One engine's handles for KV connectors. */
import type { Counter } from '../../metric/counter.js';
import type { Histogram } from '../../metric/histogram.js';
import { EngineSeries } from './series-holder.js';

/** NIXL: all series from the start. */
export class NixlHandles extends EngineSeries {
  readonly xferTime: Histogram = this.histogram('nixlXferTimeSeconds');
  readonly postTime: Histogram = this.histogram('nixlPostTimeSeconds');
  readonly bytesTransferred: Histogram = this.histogram('nixlBytesTransferred');
  readonly numDescriptors: Histogram = this.histogram('nixlNumDescriptors');
  readonly failedTransfers: Counter = this.counter('nixlNumFailedTransfers');
  readonly failedNotifications: Counter = this.counter('nixlNumFailedNotifications');
  readonly kvExpiredReqs: Counter = this.counter('nixlNumKvExpiredReqs');
  readonly notificationsAfterExpiry: Counter = this.counter('nixlNumNotificationsAfterExpiry');
}

/** What a Mooncake store does; the last entry takes what this version does not know. */
export const MOONCAKE_OPERATIONS: readonly string[] = [
  'save_exists',
  'save_put',
  'load_get',
  'lookup_exists',
  'other',
];
/** How it went; the last entry takes what this version does not know. */
export const MOONCAKE_STATUSES: readonly string[] = ['ok', 'error', 'partial_failure', 'other'];

/** The handles of one operation and status. */
export interface MooncakeOperation {
  readonly time: Histogram;
  readonly operations: Counter;
  readonly keys: Counter;
  readonly bytes: Counter;
  readonly failedKeys: Counter;
}

/** Mooncake store: the series of an operation and a status come with their first use. */
export class MooncakeHandles extends EngineSeries {
  readonly #handles: (MooncakeOperation | undefined)[] = [];

  /** By position in {@link MOONCAKE_OPERATIONS} and {@link MOONCAKE_STATUSES}. */
  of(operation: number, status: number): MooncakeOperation {
    const at = operation * MOONCAKE_STATUSES.length + status;
    const known = this.#handles[at];
    if (known !== undefined) return known;
    const labels = [MOONCAKE_OPERATIONS[operation]!, MOONCAKE_STATUSES[status]!] as const;
    const made: MooncakeOperation = {
      time: this.histogram('mooncakeStoreOperationTimeSeconds', ...labels),
      operations: this.counter('mooncakeStoreOperation', ...labels),
      keys: this.counter('mooncakeStoreOperationKeys', ...labels),
      bytes: this.counter('mooncakeStoreOperationBytes', ...labels),
      failedKeys: this.counter('mooncakeStoreOperationFailedKeys', ...labels),
    };
    this.#handles[at] = made;
    return made;
  }
}

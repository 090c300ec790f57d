/** What a Mooncake store can be asked. */
export type MooncakeOperation = 'save_exists' | 'save_put' | 'load_get' | 'lookup_exists';

/** How it went. */
export type MooncakeStatus = 'ok' | 'error' | 'partial_failure';

/** One call; keys are KV blocks. */
interface MooncakeRecord {
  readonly durationSeconds: number;
  readonly numKeys: number;
  readonly numBytes: number;
  readonly status: MooncakeStatus;
  readonly numFailedKeys: number;
}

/** A Mooncake store's calls since the last stats, by operation. */
export class MooncakeOperations {
  #records: Partial<Record<MooncakeOperation, MooncakeRecord[]>> | undefined = undefined;

  record(
    operation: MooncakeOperation,
    durationSeconds: number,
    numKeys: number,
    numBytes: number,
    numFailedKeys: number,
  ): void {
    const status = numFailedKeys === 0 ? 'ok' : numFailedKeys < numKeys ? 'partial_failure' : 'error';
    this.#records ??= {};
    this.#records[operation] ??= [];
    this.#records[operation].push({ durationSeconds, numKeys, numBytes, status, numFailedKeys });
  }

  take(): Readonly<Record<string, unknown>> | undefined {
    const records = this.#records;
    this.#records = undefined;
    return records;
  }
}

/**
 * NIXL's seven lists since the last stats: durations in seconds, then bytes and descriptors, one entry a
 * transfer; the failure lists have one entry a failure.
 * @see vllm/distributed/kv_transfer/kv_connector/v1/nixl `NixlKVConnectorStats`
 */
export class NixlTransfers {
  #lists = emptyLists();
  #isEmpty = true;

  transferred(seconds: number, postSeconds: number, bytes: number, descriptors: number): void {
    this.#isEmpty = false;
    this.#lists.transferDuration.push(seconds);
    this.#lists.postDuration.push(postSeconds);
    this.#lists.bytesTransferred.push(bytes);
    this.#lists.numDescriptors.push(descriptors);
  }

  failed(): void {
    this.#isEmpty = false;
    this.#lists.numFailedTransfers.push(1);
  }

  /** A failed transfer's blocks stay on the sender until they expire there, unless it hears of it. */
  expired(notified: boolean): void {
    this.#isEmpty = false;
    if (!notified) this.#lists.numFailedNotifications.push(1);
    this.#lists.numKvExpiredReqs.push(1);
  }

  take(): Readonly<Record<string, unknown>> | undefined {
    if (this.#isEmpty) return undefined;
    const lists = this.#lists;
    this.#lists = emptyLists();
    this.#isEmpty = true;
    return lists;
  }
}

function emptyLists() {
  return {
    transferDuration: [] as number[],
    postDuration: [] as number[],
    bytesTransferred: [] as number[],
    numDescriptors: [] as number[],
    numFailedTransfers: [] as number[],
    numFailedNotifications: [] as number[],
    numKvExpiredReqs: [] as number[],
  };
}

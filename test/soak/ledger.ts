/** What the whole run did, for its report. */
export class Ledger {
  started = 0;
  /** Ended with a record on the page. */
  recorded = 0;
  /** Alive when their instance was disposed: without a record, by contract. */
  disposed = 0;
  /** Outputs sent to streams that were read, and those that arrived. */
  outputsSent = 0;
  outputsReceived = 0;
  batches = 0;
  scrapes = 0;
  checks = 0;
  /** Unsubscribed before the engine was done, and the router's word of it. */
  left = 0;
  aborts = 0;
  readonly faults: Map<string, number> = new Map();
  readonly problems: string[] = [];

  fault(kind: string): void {
    this.faults.set(kind, (this.faults.get(kind) ?? 0) + 1);
  }

  get numFaults(): number {
    let sum = 0;
    for (const count of this.faults.values()) sum += count;
    return sum;
  }

  /** Keeps the first few: one fault makes thousands of wrong figures. */
  problem(text: string): void {
    if (this.problems.length < 20) this.problems.push(text);
  }
}

import type { FinishedRequestStats, ServingMetrics } from '../../index.js';

/** What the page's table shows of the past when it is opened. */
const MOST_KEPT = 20;

/** The terminal records as they are made: the last ones, and those that somebody waits for. */
export class FinishedLog {
  count = 0;
  numAborted = 0;
  readonly #last: FinishedRequestStats[] = [];
  readonly #awaited = new Map<string, FinishedRequestStats | undefined>();

  constructor(metrics: ServingMetrics) {
    metrics.finishedRequests.subscribe((request) => this.#add(request));
  }

  /** Those after the first `count` of all, the oldest first, as far as they are kept. */
  since(count: number): readonly FinishedRequestStats[] {
    const newer = this.count - count;
    return newer === 0 ? [] : this.#last.slice(-newer);
  }

  /** Keeps the record of this request until it is taken. */
  await(requestId: string): void {
    this.#awaited.set(requestId, undefined);
  }

  take(requestId: string): FinishedRequestStats | undefined {
    const request = this.#awaited.get(requestId);
    this.#awaited.delete(requestId);
    return request;
  }

  #add(request: FinishedRequestStats): void {
    const { requestId, finishReason } = request;
    this.count++;
    if (finishReason === 'abort') this.numAborted++;
    this.#last.push(request);
    if (this.#last.length > MOST_KEPT) this.#last.shift();
    if (requestId !== undefined && this.#awaited.has(requestId)) this.#awaited.set(requestId, request);
  }
}

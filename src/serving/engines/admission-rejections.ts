/** Requests that a frontend turned away at its queue's limits: no engine saw them, and they have no terminal record. */
import type { Counter } from '../../metric/counter.js';
import type { Diagnostics } from '../diagnostics.js';

/** Which limit of the frontend's queue turned a request away. */
export type AdmissionRejectionReason = 'max_num_queued_reqs' | 'max_num_queued_tokens';

const REASONS: readonly string[] = ['max_num_queued_reqs', 'max_num_queued_tokens'];

/** @see vllm/v1/metrics/loggers.py, release 0.32.0, `admission_rejections` */
export class AdmissionRejections {
  readonly #counterOf: (reason: string) => Counter;
  readonly #diagnostics: Diagnostics;
  readonly #counters: readonly Counter[];
  #other: Counter | undefined;

  /** The known reasons stand on the page from the start. */
  constructor(counterOf: (reason: string) => Counter, diagnostics: Diagnostics) {
    this.#counterOf = counterOf;
    this.#diagnostics = diagnostics;
    this.#counters = REASONS.map(counterOf);
  }

  record(reason: unknown): void {
    const known = this.#counters[REASONS.indexOf(reason as string)];
    if (known !== undefined) {
      known.add(1);
      return;
    }
    this.#diagnostics.report(
      'reason',
      `expected one of ${REASONS.join(', ')}, counted it under other`,
      reason,
    );
    this.#other ??= this.#counterOf('other');
    this.#other.add(1);
  }
}

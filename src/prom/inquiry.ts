import type { PromMetricValues } from './prom-client.js';

/** What a scrape asks of: anything with the `get` of prom-client's metrics. */
export interface Askable {
  readonly name: string;
  get(): unknown;
}

/** An answer that has the shape of a metric's values: a page can be made of it. */
function isReadable(answer: unknown): answer is PromMetricValues {
  const { name, help, values = [] } = (answer ?? {}) as Partial<PromMetricValues>;
  if (typeof name !== 'string' || typeof help !== 'string' || !Array.isArray(values)) return false;
  return values.every((sample) => typeof sample === 'object' && sample !== null);
}

/** One scrape's questions, which have some time together. A metric that fails, hangs or answers nonsense is counted. */
export class Inquiry {
  failures = 0;
  readonly #timeoutMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #timeIsUp: Promise<never>;

  /** @param timeoutMs the time of all questions, in milliseconds; Infinity for no limit. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
    this.#timeIsUp = this.#limit();
  }

  /** Gives the questions from now on the whole time again. */
  restart(): void {
    this.end();
    this.#timeIsUp = this.#limit();
  }

  /** To be called when all is answered: no timer is left behind. */
  end(): void {
    clearTimeout(this.#timer);
  }

  /** @throws what `question` does; {@link Error} if the answer does not come in time. */
  async within<T>(question: () => T | Promise<T>): Promise<T> {
    return Promise.race([question(), this.#timeIsUp]);
  }

  /** What a metric answers; undefined, and counted, if that is nothing for a page. */
  async ask(metric: Askable): Promise<PromMetricValues | undefined> {
    try {
      const answer = await this.within(() => metric.get());
      if (isReadable(answer)) return answer;
    } catch {
      // A collector's own trouble: the page goes on without it.
    }
    this.failures++;
    return undefined;
  }

  #limit(): Promise<never> {
    const limit = new Promise<never>((_, reject) => {
      if (this.#timeoutMs === Infinity) return;
      const late = (): void => reject(new Error(`metrics: expected within ${this.#timeoutMs} ms, got none`));
      this.#timer = setTimeout(late, this.#timeoutMs);
    });
    limit.catch(() => {}); // nobody may be waiting any more
    return limit;
  }
}

/** One look at `/metrics`, and what two of them say together. */
import { type Exposition, parseExposition, sumOf, sumsBy } from './exposition.js';
import { growthOf, type Histogram, histogramOf } from './histogram.js';

export const TIME_TO_FIRST_TOKEN = 'vllm:time_to_first_token_seconds';
export const INTER_TOKEN_LATENCY = 'vllm:inter_token_latency_seconds';
export const E2E_LATENCY = 'vllm:e2e_request_latency_seconds';
export const PREEMPTIONS = 'vllm:request_num_preemptions';

const HISTOGRAMS: readonly string[] = [TIME_TO_FIRST_TOKEN, INTER_TOKEN_LATENCY, E2E_LATENCY, PREEMPTIONS];

export interface Scrape {
  /** Unix seconds. */
  readonly time: number;
  readonly exposition: Exposition;
  readonly histograms: ReadonlyMap<string, Histogram>;
}

export function scrapeOf(text: string, time: number): Scrape {
  const exposition = parseExposition(text);
  const histograms = new Map(HISTOGRAMS.map((name) => [name, histogramOf(exposition, name)]));
  return { time, exposition, histograms };
}

/** The last scrapes, oldest first: rates and quantiles are over the time they span. */
export class ScrapeWindow {
  readonly #scrapes: Scrape[] = [];
  readonly #seconds: number;

  constructor(seconds: number) {
    this.#seconds = seconds;
  }

  add(scrape: Scrape): void {
    this.#scrapes.push(scrape);
    while (this.#scrapes.length > 2 && scrape.time - this.#scrapes[1]!.time >= this.#seconds)
      this.#scrapes.shift();
  }

  /** What a histogram observed in the window. */
  growth(name: string): Histogram {
    const now = this.#scrapes.at(-1)?.histograms.get(name);
    const before = this.#scrapes[0]?.histograms.get(name);
    return now === undefined ? { bounds: [], counts: [] } : growthOf(before, now);
  }

  /** What a histogram observed since the scrape before the last one. */
  latest(name: string): Histogram {
    const now = this.#scrapes.at(-1)?.histograms.get(name);
    const before = this.#scrapes.at(-2)?.histograms.get(name);
    return now === undefined || before === undefined ? { bounds: [], counts: [] } : growthOf(before, now);
  }

  /** A counter's growth a second since the scrape before the last one; 0 before there are two. */
  rate(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const [before, now] = [this.#scrapes.at(-2), this.#scrapes.at(-1)];
    if (before === undefined || now === undefined || now.time <= before.time) return 0;
    const grown = sumOf(now.exposition, name, labels) - sumOf(before.exposition, name, labels);
    return Math.max(grown, 0) / (now.time - before.time);
  }

  /** The rates of a counter by the value of a label. */
  ratesBy(name: string, label: string): Map<string, number> {
    const values =
      this.#scrapes.at(-1) === undefined
        ? []
        : [...sumsBy(this.#scrapes.at(-1)!.exposition, name, label).keys()];
    return new Map(values.map((value) => [value, this.rate(name, { [label]: value })]));
  }
}

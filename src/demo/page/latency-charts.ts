/** The four charts over time: throughput, and the quantiles of the three latencies. */

import { quantileOf } from './data/histogram.js';
import { History } from './data/history.js';
import { E2E_LATENCY, INTER_TOKEN_LATENCY, type ScrapeWindow, TIME_TO_FIRST_TOKEN } from './data/scrape.js';
import { countText, durationText } from './data/text.js';
import { byId } from './draw/dom.js';
import { TimeChart } from './draw/time-chart.js';

/** Ten minutes of looks. */
const POINTS = 300;

const QUANTILES = [0.5, 0.9, 0.99] as const;

class QuantileChart {
  readonly #history = new History(QUANTILES.length, POINTS);
  readonly #chart: TimeChart;
  readonly #family: string;

  constructor(id: string, family: string) {
    this.#family = family;
    const series = QUANTILES.map((q) => ({ label: `p${q * 100}`, color: `p${q * 100}` }));
    this.#chart = new TimeChart(byId(id), this.#history, { series, text: durationText });
  }

  update(time: number, window: ScrapeWindow): void {
    const histogram = window.growth(this.#family);
    this.#history.push(
      time,
      QUANTILES.map((q) => quantileOf(q, histogram)),
    );
    this.#chart.update();
  }
}

export class LatencyCharts {
  readonly #tokens = new History(2, POINTS);
  readonly #throughput = new TimeChart(byId('throughput'), this.#tokens, {
    series: [
      { label: 'generated', color: 'series-1' },
      { label: 'prompt, computed', color: 'series-2' },
    ],
    text: countText,
  });
  readonly #latencies = [
    new QuantileChart('ttft', TIME_TO_FIRST_TOKEN),
    new QuantileChart('itl', INTER_TOKEN_LATENCY),
    new QuantileChart('e2e', E2E_LATENCY),
  ];

  update(time: number, window: ScrapeWindow): void {
    const computed = { source: 'local_compute' };
    const prompt = window.rate('vllm:prompt_tokens_by_source_total', computed);
    this.#tokens.push(time, [window.rate('vllm:generation_tokens_total'), prompt]);
    this.#throughput.update();
    for (const chart of this.#latencies) chart.update(time, window);
  }
}

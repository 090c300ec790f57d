/** A chart of some series over time. */
import uPlot from 'uplot';
import type { History } from '../data/history.js';
import { colorOf, onThemeChange } from './theme.js';

export interface ChartSeries {
  readonly label: string;
  /** The name of its colour in the style sheet. */
  readonly color: string;
}

export interface ChartOptions {
  readonly series: readonly ChartSeries[];
  /** How a value is written. */
  readonly text: (value: number) => string;
}

const HEIGHT = 170;
/** Pixels between two marks of the time axis: a clock time and some air. */
const TIME_SPACE = 90;

function clockText(time: number): string {
  return new Date(time * 1000).toLocaleTimeString('en-GB');
}

function axis(text: (value: number) => string): uPlot.Axis {
  const line = { stroke: colorOf('grid'), width: 1 };
  return {
    stroke: colorOf('muted'),
    font: '11px system-ui, sans-serif',
    grid: line,
    ticks: { ...line, size: 4 },
    values: (_: uPlot, values: number[]) => values.map(text),
  };
}

function optionsOf({ series, text }: ChartOptions, width: number): uPlot.Options {
  const valueText = (_: uPlot, value: number | null) => (value === null ? '–' : text(value));
  const lines = series.map(({ label, color }) => {
    const stroke = colorOf(color);
    return { label, stroke, width: 2, points: { show: false }, spanGaps: true, value: valueText };
  });
  return {
    width,
    height: HEIGHT,
    scales: { y: { range: (_, _min, max) => [0, max > 0 ? max * 1.1 : 1] } },
    axes: [
      { ...axis(clockText), space: TIME_SPACE },
      { ...axis(text), size: 62 },
    ],
    series: [{ label: 'at', value: (_, time) => (time === null ? '–' : clockText(time)) }, ...lines],
    cursor: { sync: { key: 'time' }, y: false },
    legend: { live: true },
  };
}

/** Draws a history into an element, as wide as that is. */
export class TimeChart {
  readonly #element: HTMLElement;
  readonly #options: ChartOptions;
  readonly #history: History;
  #plot: uPlot;

  constructor(element: HTMLElement, history: History, options: ChartOptions) {
    this.#element = element;
    this.#history = history;
    this.#options = options;
    this.#plot = this.#made();
    onThemeChange(() => this.#redraw());
    new ResizeObserver(() => this.#plot.setSize({ width: element.clientWidth, height: HEIGHT })).observe(
      element,
    );
  }

  /** Shows what the history has by now. */
  update(): void {
    this.#plot.setData(this.#history.columns as uPlot.AlignedData); // the first column is time and never null
    // Without a cursor the legend says what is last.
    if ((this.#plot.cursor.left ?? -1) < 0)
      this.#plot.setLegend({ idx: this.#history.columns[0]!.length - 1 });
  }

  #made(): uPlot {
    const options = optionsOf(this.#options, this.#element.clientWidth);
    return new uPlot(options, this.#history.columns as uPlot.AlignedData, this.#element);
  }

  #redraw(): void {
    this.#plot.destroy();
    this.#plot = this.#made();
  }
}

/** How many requests had which time to first token, moment by moment: a column a look, a row a bucket. */
import type { Histogram } from '../data/histogram.js';
import { durationText } from '../data/text.js';
import { colorOf, onThemeChange } from './theme.js';

const COLUMNS = 150;
const LABEL_WIDTH = 62;
const ROW_HEIGHT = 9;

/** The share of a column's requests that a cell has, as the strength of its colour; few are seen too. */
function strengthOf(count: number, most: number): number {
  return count === 0 ? 0 : 0.15 + 0.85 * Math.sqrt(count / most);
}

export class HeatMap {
  readonly #canvas: HTMLCanvasElement;
  readonly #columns: (readonly number[])[] = [];
  #bounds: readonly number[] = [];

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    onThemeChange(() => this.#draw());
    new ResizeObserver(() => this.#draw()).observe(canvas);
  }

  /** Adds what was observed since the last look. */
  add({ bounds, counts }: Histogram): void {
    if (bounds.length === 0) return;
    this.#bounds = bounds;
    this.#columns.push(counts);
    if (this.#columns.length > COLUMNS) this.#columns.shift();
    this.#draw();
  }

  #draw(): void {
    const rows = this.#bounds.length;
    const context = this.#canvas.getContext('2d');
    if (context === null || rows === 0) return;
    const width = this.#canvas.clientWidth;
    const height = rows * ROW_HEIGHT;
    const ratio = devicePixelRatio;
    this.#canvas.style.height = `${height}px`;
    this.#canvas.width = width * ratio; // also wipes it
    this.#canvas.height = height * ratio;
    context.scale(ratio, ratio);
    this.#drawLabels(context, height);
    this.#drawCells(context, width, height);
  }

  #drawLabels(context: CanvasRenderingContext2D, height: number): void {
    context.fillStyle = colorOf('muted');
    context.font = '11px system-ui, sans-serif';
    context.textAlign = 'right';
    context.textBaseline = 'middle';
    for (let row = 1; row < this.#bounds.length - 1; row += 3) {
      context.fillText(durationText(this.#bounds[row]!), LABEL_WIDTH - 8, height - (row + 0.5) * ROW_HEIGHT);
    }
  }

  #drawCells(context: CanvasRenderingContext2D, width: number, height: number): void {
    const columnWidth = (width - LABEL_WIDTH) / COLUMNS;
    const most = Math.max(1, ...this.#columns.flat());
    const first = COLUMNS - this.#columns.length;
    context.fillStyle = colorOf('series-1');
    for (const [column, counts] of this.#columns.entries()) {
      for (const [row, count] of counts.entries()) {
        if (count === 0) continue;
        context.globalAlpha = strengthOf(count, most);
        const x = LABEL_WIDTH + (first + column) * columnWidth;
        context.fillRect(x, height - (row + 1) * ROW_HEIGHT, Math.max(columnWidth - 0.5, 1), ROW_HEIGHT - 1);
      }
    }
    context.globalAlpha = 1;
  }
}

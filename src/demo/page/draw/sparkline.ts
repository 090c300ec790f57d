/** A line as small as a word. */
import type { Value } from '../data/history.js';

const WIDTH = 120;
const HEIGHT = 24;
const SVG = 'http://www.w3.org/2000/svg';

export class Sparkline {
  readonly element: SVGSVGElement;
  readonly #line: SVGPolylineElement;

  constructor() {
    this.element = document.createElementNS(SVG, 'svg');
    this.element.setAttribute('viewBox', `0 0 ${WIDTH} ${HEIGHT}`);
    this.element.setAttribute('class', 'sparkline');
    this.element.setAttribute('aria-hidden', 'true');
    this.#line = document.createElementNS(SVG, 'polyline');
    this.element.append(this.#line);
  }

  /** Draws a column of a history, the newest value at the right edge, with room for `most` of them. */
  update(values: readonly Value[], most: number): void {
    const highest = Math.max(1, ...values.map((value) => value ?? 0));
    const first = most - values.length;
    const points = values.map((value, i) => {
      const x = ((first + i) / (most - 1)) * WIDTH;
      const y = HEIGHT - 2 - ((value ?? 0) / highest) * (HEIGHT - 4);
      return `${x.toFixed(1)},${y.toFixed(1)}`;
    });
    this.#line.setAttribute('points', points.join(' '));
  }
}

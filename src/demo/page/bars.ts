/** Figures side by side: how requests ended, and how often they were preempted. */

import { type Exposition, sumsBy } from './data/exposition.js';
import type { Histogram } from './data/histogram.js';
import { countText } from './data/text.js';
import { byId, make, write } from './draw/dom.js';

const REASONS: readonly string[] = ['stop', 'length', 'abort', 'error', 'repetition'];

function swatch(reason: string): HTMLElement {
  const element = make('i', 'swatch');
  element.style.background = `var(--${reason})`;
  return element;
}

/** One bar of all requests, in parts by finish reason. */
export class ReasonBar {
  readonly #parts = REASONS.map((reason) => {
    const part = make('i', '');
    part.style.background = `var(--${reason})`;
    return part;
  });
  readonly #counts = REASONS.map((reason) => {
    const count = make('b', '', '0');
    count.id = `finished-${reason}`;
    return count;
  });

  constructor() {
    const legend = REASONS.map((reason, i) =>
      make('span', '', swatch(reason), `${reason} `, this.#counts[i]!),
    );
    byId('reasons').append(make('div', 'stack', ...this.#parts), make('div', 'legend', ...legend));
  }

  update(exposition: Exposition): void {
    const sums = sumsBy(exposition, 'vllm:request_success_total', 'finished_reason');
    for (const [i, reason] of REASONS.entries()) {
      const count = sums.get(reason) ?? 0;
      this.#parts[i]!.style.flexGrow = String(count);
      write(this.#counts[i]!, count.toLocaleString('en'));
    }
  }
}

/** A bucket in words: how many preemptions its requests had. */
function bucketText(bounds: readonly number[], i: number): string {
  const above = i === 0 ? 0 : bounds[i - 1]! + 1;
  if (bounds[i] === Number.POSITIVE_INFINITY) return `${above} +`;
  return above === bounds[i] ? String(above) : `${above}–${bounds[i]}`;
}

/** A row a bucket; as most requests have none, a bar is as long as its share's root. */
export class PreemptionBars {
  readonly #rows: { readonly bar: HTMLElement; readonly count: HTMLElement }[] = [];

  update({ bounds, counts }: Histogram): void {
    while (this.#rows.length < bounds.length) this.#add(bucketText(bounds, this.#rows.length));
    const most = Math.max(1, ...counts);
    for (const [i, { bar, count }] of this.#rows.entries()) {
      bar.style.width = `${Math.sqrt((counts[i] ?? 0) / most) * 100}%`;
      write(count, countText(counts[i] ?? 0));
    }
  }

  #add(label: string): void {
    const row = { bar: make('i', ''), count: make('b', '') };
    this.#rows.push(row);
    byId('preemptions').append(make('div', 'bar', make('span', '', label), row.bar, row.count));
  }
}

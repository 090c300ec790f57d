/** A row an engine: what it does, and what can be done to it. */

import type { EngineStatus } from '../fleet/fleet-status.js';
import { History } from './data/history.js';
import { countText, percentText } from './data/text.js';
import { byId, make, write } from './draw/dom.js';
import { Sparkline } from './draw/sparkline.js';
import { changeEngine } from './fleet-client.js';

const POINTS = 60;

class EngineRow {
  readonly element: HTMLElement;
  readonly #state = make('span', 'state');
  readonly #running = make('td', 'number');
  readonly #waiting = make('td', 'number');
  readonly #usage = make('i', '');
  readonly #usageText = make('span', '');
  readonly #rate = make('span', '');
  readonly #sparkline = new Sparkline();
  readonly #history = new History(1, POINTS);
  readonly #kill: HTMLButtonElement;

  constructor(readonly engineIndex: number) {
    this.#kill = this.#button('Kill', () => (this.#kill.textContent === 'Kill' ? 'kill' : 'restart'));
    const remove = this.#button('Remove', () => 'remove');
    const cells = [
      make('td', '', String(engineIndex)),
      make('td', '', this.#state),
      this.#running,
      this.#waiting,
      make('td', '', make('span', 'meter', this.#usage), this.#usageText),
      make('td', '', this.#sparkline.element, this.#rate),
      make('td', 'buttons', this.#kill, remove),
    ];
    this.element = make('tr', '', ...cells);
    this.element.dataset['engine'] = String(engineIndex);
  }

  status({ state, running, waiting, kvCacheUsage }: EngineStatus): void {
    this.#state.className = `state ${state}`;
    write(this.#state, state);
    write(this.#running, countText(running));
    write(this.#waiting, countText(waiting));
    this.#usage.style.width = `${kvCacheUsage * 100}%`;
    write(this.#usageText, percentText(kvCacheUsage));
    write(this.#kill, state === 'dead' ? 'Restart' : 'Kill');
  }

  rate(time: number, tokens: number): void {
    this.#history.push(time, [tokens]);
    this.#sparkline.update(this.#history.columns[1]!, POINTS);
    write(this.#rate, countText(tokens));
  }

  #button(text: string, change: () => 'kill' | 'restart' | 'remove'): HTMLButtonElement {
    const button = make('button', '', text) as HTMLButtonElement;
    button.type = 'button';
    button.addEventListener('click', () => void changeEngine(this.engineIndex, change()));
    return button;
  }
}

export class EngineTable {
  readonly #rows = new Map<number, EngineRow>();
  readonly #body = byId('engines').querySelector('tbody')!; // it stands in index.html

  /** Shows these engines, in their order, and no others. */
  update(engines: readonly EngineStatus[]): void {
    const present = new Set(engines.map(({ engineIndex }) => engineIndex));
    for (const [index, row] of this.#rows) {
      if (present.has(index)) continue;
      row.element.remove();
      this.#rows.delete(index);
    }
    for (const engine of engines) this.#rowOf(engine.engineIndex).status(engine);
  }

  /** Tokens a second by engine, at a time in Unix seconds. */
  rates(time: number, tokens: ReadonlyMap<string, number>): void {
    for (const [index, row] of this.#rows) row.rate(time, tokens.get(String(index)) ?? 0);
  }

  #rowOf(engineIndex: number): EngineRow {
    const known = this.#rows.get(engineIndex);
    if (known !== undefined) return known;
    const row = new EngineRow(engineIndex);
    this.#rows.set(engineIndex, row);
    this.#body.append(row.element);
    return row;
  }
}

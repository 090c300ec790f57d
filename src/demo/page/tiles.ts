/** The fleet now, in five figures. */

import { sumOf } from './data/exposition.js';
import type { Scrape, ScrapeWindow } from './data/scrape.js';
import { countText, percentText } from './data/text.js';
import { byId, make, write } from './draw/dom.js';

interface Tile {
  readonly label: string;
  text(scrape: Scrape, window: ScrapeWindow): string;
}

const TILES: readonly Tile[] = [
  {
    label: 'tokens a second',
    text: (_, window) => countText(window.rate('vllm:generation_tokens_total')),
  },
  {
    label: 'requests running',
    text: ({ exposition }) => countText(sumOf(exposition, 'vllm:num_requests_running')),
  },
  {
    label: 'requests waiting',
    text: ({ exposition }) => countText(sumOf(exposition, 'vllm:num_requests_waiting')),
  },
  {
    label: 'KV cache in use, mean',
    text: ({ exposition }) => {
      const engines = exposition.get('vllm:kv_cache_usage_perc')?.length ?? 0;
      return engines === 0 ? '–' : percentText(sumOf(exposition, 'vllm:kv_cache_usage_perc') / engines);
    },
  },
  {
    label: 'requests finished',
    text: ({ exposition }) => countText(sumOf(exposition, 'vllm:request_success_total')),
  },
];

export class Tiles {
  readonly #figures: readonly HTMLElement[];

  constructor() {
    this.#figures = TILES.map(() => make('b', '', '–'));
    byId('tiles').append(
      ...TILES.map(({ label }, i) => make('div', 'tile', this.#figures[i]!, make('span', '', label))),
    );
  }

  update(scrape: Scrape, window: ScrapeWindow): void {
    for (const [i, tile] of TILES.entries()) write(this.#figures[i]!, tile.text(scrape, window));
  }
}

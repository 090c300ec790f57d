/** The last requests that ended, the newest first. */

import { countText, durationText } from './data/text.js';
import { byId, make } from './draw/dom.js';
import type { FinishedRequest } from './fleet-client.js';

const MOST_ROWS = 12;

function spansOf({ queuedTime, prefillTime, decodeTime }: FinishedRequest, longest: number): HTMLElement {
  const parts = [
    ['queue', queuedTime],
    ['prefill', prefillTime],
    ['decode', decodeTime],
  ] as const;
  const spans = parts.map(([name, seconds]) => {
    const span = make('i', name);
    span.style.width = `${(seconds / longest) * 100}%`;
    span.title = `${name}: ${durationText(seconds)}`;
    return span;
  });
  return make('div', 'spans', ...spans);
}

function rowOf(request: FinishedRequest, longest: number): HTMLElement {
  const { engineIndex, finishReason, numPromptTokens, numGenerationTokens, timeToFirstToken } = request;
  const dot = make('i', 'swatch');
  dot.style.background = `var(--${finishReason})`;
  return make(
    'tr',
    '',
    make('td', '', String(engineIndex)),
    make('td', '', dot, finishReason),
    make('td', 'number', countText(numPromptTokens)),
    make('td', 'number', countText(numGenerationTokens)),
    make('td', 'number', countText(request.numPreemptions)),
    make('td', 'number', timeToFirstToken === undefined ? '–' : durationText(timeToFirstToken)),
    make('td', 'number', durationText(request.e2eLatency)),
    make('td', '', spansOf(request, longest)),
  );
}

export class FinishedTable {
  #requests: readonly FinishedRequest[] = [];
  readonly #body = byId('finished').querySelector('tbody')!; // it stands in index.html

  add(requests: readonly FinishedRequest[]): void {
    this.#requests = [...requests.toReversed(), ...this.#requests].slice(0, MOST_ROWS);
    const longest = Math.max(
      ...this.#requests.map(
        ({ queuedTime, prefillTime, decodeTime }) => queuedTime + prefillTime + decodeTime,
      ),
      Number.MIN_VALUE,
    );
    this.#body.replaceChildren(...this.#requests.map((request) => rowOf(request, longest)));
  }
}

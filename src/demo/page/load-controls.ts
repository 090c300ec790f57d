/** The sliders of the background load. */

import type { LoadStatus } from '../fleet/fleet-status.js';
import { percentText } from './data/text.js';
import { byId, write } from './draw/dom.js';
import { setLoad } from './fleet-client.js';

/** One slider: it says what it is set to, and tells the server when it is let go. */
class Slider {
  readonly #input: HTMLInputElement;
  readonly #output: HTMLElement;
  readonly #text: (value: number) => string;
  #isHeld = false;

  constructor(id: string, text: (value: number) => string, changed: (value: number) => void) {
    this.#input = byId<HTMLInputElement>(id);
    this.#output = byId(`${id}-text`);
    this.#text = text;
    this.#input.addEventListener('input', () => {
      this.#isHeld = true;
      write(this.#output, text(this.#input.valueAsNumber));
    });
    this.#input.addEventListener('change', () => {
      this.#isHeld = false;
      changed(this.#input.valueAsNumber);
    });
  }

  /** Shows what the server has, unless somebody is moving it. */
  show(value: number): void {
    if (this.#isHeld) return;
    this.#input.value = String(value);
    write(this.#output, this.#text(value));
  }
}

export class LoadControls {
  readonly #load = new Slider(
    'load',
    (rate) => `${Number(rate.toFixed(1))} / s`,
    (rate) => void setLoad({ rate }),
  );
  readonly #aborts = new Slider('aborts', percentText, (abortRate) => void setLoad({ abortRate }));

  update({ rate, abortRate }: LoadStatus): void {
    this.#load.show(rate);
    this.#aborts.show(abortRate);
  }
}

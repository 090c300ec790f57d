import type { WireDiagnostic } from '../wire-diagnostic.js';

/** Where the decoder says what it left out. A host's callback that throws is ignored: a message must not be lost by it. */
export class WireReporter {
  readonly #onDiagnostic: ((diagnostic: WireDiagnostic) => void) | undefined;

  constructor(onDiagnostic: ((diagnostic: WireDiagnostic) => void) | undefined) {
    this.#onDiagnostic = onDiagnostic;
  }

  report(source: string, message: string, offset: number): void {
    if (this.#onDiagnostic === undefined) return;
    try {
      const told: unknown = this.#onDiagnostic({ source, message, offset });
      if (told instanceof Promise) told.catch(() => {});
    } catch {
      // As above.
    }
  }
}

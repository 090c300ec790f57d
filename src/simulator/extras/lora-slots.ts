/** The adapters that running requests use, against the number that may be loaded at once. */
export class LoraSlots {
  readonly #maxLoras: number;
  readonly #running = new Map<string, number>();
  /** A slot came free since {@link takeFreed}: deferred requests may be tried again. */
  #freed = false;

  constructor(maxLoras: number) {
    this.#maxLoras = maxLoras;
  }

  admits(name: string | undefined): boolean {
    return name === undefined || this.#running.size < this.#maxLoras || this.#running.has(name);
  }

  acquire(name: string | undefined): void {
    if (name !== undefined) this.#running.set(name, (this.#running.get(name) ?? 0) + 1);
  }

  release(name: string | undefined): void {
    if (name === undefined) return;
    const left = (this.#running.get(name) ?? 1) - 1;
    if (left > 0) {
      this.#running.set(name, left);
      return;
    }
    this.#running.delete(name);
    this.#freed = true;
  }

  takeFreed(): boolean {
    const freed = this.#freed;
    this.#freed = false;
    return freed;
  }
}

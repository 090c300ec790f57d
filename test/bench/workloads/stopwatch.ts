import { readFileSync } from 'node:fs';

/** What passed between two looks, in ns. */
export interface Spent {
  readonly wall: number;
  /** Of the main thread alone, which is what a frontend runs out of first; NaN where the system does not tell. */
  readonly cpu: number;
}

/** The first thread's time on a core, as Linux counts it; looking takes some 20 µs. */
function mainThreadTime(): number {
  try {
    return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]);
  } catch {
    return Number.NaN;
  }
}

export class Stopwatch {
  #wall = 0n;
  #cpu = 0;

  begin(): void {
    this.#cpu = mainThreadTime();
    this.#wall = process.hrtime.bigint();
  }

  look(): Spent {
    const wall = Number(process.hrtime.bigint() - this.#wall);
    return { wall, cpu: mainThreadTime() - this.#cpu };
  }
}

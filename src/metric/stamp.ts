/**
 * When a process learned what some series say. Of several processes that show them the one with the newest stamp is
 * right; the series of one stamp are believed or not together.
 */
export class Stamp {
  /** Whose state it is; the same in every process. */
  readonly key: string;
  /** Wall clock, milliseconds; NaN while the process knows nothing. A double from birth, so that no step allocates. */
  at: number = Number.NaN;

  constructor(key: string) {
    this.key = key;
  }

  now(): void {
    this.at = Date.now();
  }

  forget(): void {
    this.at = Number.NaN;
  }
}

/** What a stamp adds to the JSON of a sample; undefined while the process knows nothing. */
export function stamped({ key, at }: Stamp): Readonly<Record<string, number>> | undefined {
  return at > 0 ? { [key]: at } : undefined;
}

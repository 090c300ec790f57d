type Labels = Readonly<Record<string, string>>;

/** The samples of a page (`readSamples`), by family and engine. */
export class Page {
  readonly #samples: ReadonlyMap<string, number>;
  readonly #modelName: string;

  constructor(samples: ReadonlyMap<string, number>, modelName: string) {
    this.#samples = samples;
    this.#modelName = modelName;
  }

  /** One engine's sample; NaN, which equals nothing, if it is not there. */
  value(name: string, engine: number, labels: Labels = {}): number {
    const all = { ...labels, engine: String(engine), model_name: this.#modelName };
    const texts = Object.entries(all)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, value]) => `${key}="${value}"`);
    return this.#samples.get(`${name}{${texts.join(',')}}`) ?? Number.NaN;
  }

  /** Sum over all samples of a family, or over those of one engine. */
  sum(name: string, engine?: number): number {
    let sum = 0;
    for (const [labels, value] of this.#of(name))
      if (engine === undefined || labels.includes(`engine="${engine}"`)) sum += value;
    return sum;
  }

  /** A histogram's cumulative counts over all engines, by upper bound in ascending order. */
  buckets(name: string): readonly (readonly [le: number, count: number])[] {
    const counts = new Map<number, number>();
    for (const [labels, value] of this.#of(`${name}_bucket`)) {
      const text = /le="([^"]*)"/.exec(labels)?.[1];
      const le = text === '+Inf' ? Infinity : Number(text);
      counts.set(le, (counts.get(le) ?? 0) + value);
    }
    return [...counts].sort(([a], [b]) => a - b);
  }

  *#of(name: string): Generator<readonly [labels: string, value: number]> {
    for (const [key, value] of this.#samples)
      if (key === name || key.startsWith(`${name}{`)) yield [key.slice(name.length), value];
  }
}

/** A page's samples by family and labels. */

type Labels = Readonly<Record<string, string>>;

/** A sample's key, as `readSamples` spells it if no label value has control characters but line feeds. */
export function keyOf(name: string, labels: Labels): string {
  const texts = Object.keys(labels)
    .sort()
    .map((label) => `${label}=${JSON.stringify(labels[label])}`);
  return texts.length === 0 ? name : `${name}{${texts.join(',')}}`;
}

/** Labels of the model `m`. */
export function engineLabels(engine: number, extra: Labels = {}): Labels {
  return { model_name: 'm', engine: String(engine), ...extra };
}

export class Samples {
  readonly all: ReadonlyMap<string, number>;

  constructor(all: ReadonlyMap<string, number>) {
    this.all = all;
  }

  /** A counter's or gauge's value by its full name without `vllm:`; undefined if it is not on the page. */
  value(name: string, engine = 0, extra: Labels = {}): number | undefined {
    return this.all.get(keyOf(`vllm:${name}`, engineLabels(engine, extra)));
  }

  /** A histogram's count and sum. */
  histogram(name: string, engine = 0): readonly [count: number | undefined, sum: number | undefined] {
    return [this.value(`${name}_count`, engine), this.value(`${name}_sum`, engine)];
  }

  inFlight(engine = 0): number | undefined {
    return this.all.get(keyOf('rx_engine_metrics_requests_in_flight', engineLabels(engine)));
  }

  /** Ended requests by reason, zeros left out. */
  success(engine = 0): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const reason of ['stop', 'length', 'abort', 'error', 'repetition']) {
      const count = this.value('request_success_total', engine, { finished_reason: reason });
      if (count !== 0) counts[reason] = count ?? Number.NaN;
    }
    return counts;
  }

  /** Diagnostics by source. */
  invalidValues(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const [key, value] of this.all) {
      const source = /^rx_engine_metrics_invalid_values_total\{.*source="([^"]*)"\}$/u.exec(key)?.[1];
      if (source !== undefined) counts[source] = value;
    }
    return counts;
  }
}

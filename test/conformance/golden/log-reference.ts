/** What our stats log must say of an interval where Python's logger says something else on purpose. */
import type { EngineCoreOutputs, PrefixCacheStats } from '../../../src/index.js';
import type { GoldenStep, LogRecord } from './golden-case.js';

export interface LogEntry {
  readonly level: string;
  readonly lines: readonly string[];
}

/** Python's `%.1f`: exact halves, which only quarters are, go to the even digit; `toFixed` takes them up. */
function oneDecimal(value: number): string {
  const quarters = value * 4;
  if (!Number.isInteger(quarters) || quarters % 2 === 0) return value.toFixed(1);
  const tenths = Math.floor(value * 10);
  return ((tenths % 2 === 0 ? tenths : tenths + 1) / 10).toFixed(1);
}

/** The last rate of an interval that had queries. */
class Rate {
  #queries = 0;
  #hits = 0;
  #last = 0;

  add({ reset, queries, hits }: PrefixCacheStats): void {
    if (reset) {
      this.#queries = 0;
      this.#hits = 0;
      this.#last = 0;
    }
    this.#queries += queries ?? 0;
    this.#hits += hits ?? 0;
  }

  /** Ends the interval. */
  read(): string {
    if (this.#queries > 0) this.#last = this.#hits / this.#queries;
    this.#queries = 0;
    this.#hits = 0;
    return `${oneDecimal(this.#last * 100)}%`;
  }
}

/** One engine, or several together. */
export class LogReference {
  readonly #engines: ReadonlySet<number>;
  readonly #prefix = new Rate();
  readonly #external = new Rate();
  readonly #multiModal = new Rate();
  readonly #corruptedIds = new Set<string>();
  #preemptions = 0;
  #corrupted = 0;
  #flops = 0;
  #bytes = 0;

  constructor(engines: readonly number[]) {
    this.#engines = new Set(engines);
  }

  step({ batch, mmCache }: GoldenStep): void {
    if (mmCache !== undefined && this.#engines.has(mmCache.engineIndex)) this.#multiModal.add(mmCache);
    if (batch === undefined || !this.#engines.has(batch.engineIndex)) return;
    const { prefixCacheStats, connectorPrefixCacheStats, perfStats } = batch.schedulerStats ?? {};
    this.#prefix.add(prefixCacheStats ?? {});
    this.#external.add(connectorPrefixCacheStats ?? {});
    this.#flops += perfStats?.numFlopsPerGpu ?? 0;
    this.#bytes += (perfStats?.numReadBytesPerGpu ?? 0) + (perfStats?.numWriteBytesPerGpu ?? 0);
    this.#outputs(batch);
  }

  /** Ends the interval: our entry, from Python's records of it. */
  entry([main, ...others]: readonly LogRecord[], elapsed: number): LogEntry {
    const line = this.#mainLine(main!.line);
    // Python leaves MFU out over several engines; its lines on KV transfers and CUDA graphs have no counterpart here.
    const kept = others.map((record) => record.line).filter((text) => /^SpecDecoding|: MFU:/u.test(text));
    const mfu = this.#engines.size > 1 ? this.#mfuLines(line.split(':')[0]!, elapsed) : [];
    this.#preemptions = 0;
    this.#corrupted = 0;
    this.#flops = 0;
    this.#bytes = 0;
    return { level: main!.level, lines: [line, ...kept, ...mfu] };
  }

  #outputs({ outputs }: EngineCoreOutputs): void {
    for (const { requestId, events, numNansInLogits, finishReason } of outputs) {
      this.#preemptions += events?.filter(({ type }) => type === 'preempted').length ?? 0;
      if ((numNansInLogits ?? 0) > 0) this.#corruptedIds.add(requestId);
      if (finishReason && this.#corruptedIds.has(requestId)) this.#corrupted++;
    }
  }

  #mainLine(line: string): string {
    const preemptions = this.#preemptions > 0 ? `, Preemptions: ${this.#preemptions}` : '';
    const corrupted = this.#corrupted > 0 ? `, Corrupted: ${this.#corrupted} reqs` : '';
    return line
      .replace(/, Corrupted: \d+ reqs/u, '')
      .replace(', GPU KV cache usage', `${preemptions}$&`)
      .replace(/(Prefix cache hit rate: )[\d.]+%/u, `$1${this.#prefix.read()}${corrupted}`)
      .replace(/(External prefix cache hit rate: )[\d.]+%/u, `$1${this.#external.read()}`)
      .replace(/(MM cache hit rate: )[\d.]+%/u, `$1${this.#multiModal.read()}`);
  }

  #mfuLines(prefix: string, elapsed: number): string[] {
    if (this.#flops === 0 && this.#bytes === 0) return [];
    const [tera, giga] = [this.#flops / 1e12, this.#bytes / 1e9].map((total) =>
      oneDecimal(total / this.#engines.size / elapsed),
    );
    return [`${prefix}: MFU: ${tera} TF/s/GPU ${giga} GB/s/GPU`];
  }
}

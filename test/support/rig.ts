/** A registry with metrics on it, a clock that stands still until it is moved, and ways to make traffic. */
import type { Registry } from 'prom-client';
import { type Observable, Subject, type Subscription } from 'rxjs';
import {
  type EngineCoreOutputs,
  type EngineCoreStreamOutput,
  type MetricsDiagnostic,
  type RequestInfo,
  type SchedulerStats,
  type ServingMetrics,
  withRequestMetrics,
} from '../../src/index.js';
import { type EngineOutputOptions, engineOutput, readSamples } from '../../src/testing/index.js';
import { type RecordingOptions, recording } from './recording.js';

export const MODEL = 'm';

/** One live request and the source that feeds it. */
export class LiveRequest {
  readonly source: Subject<EngineCoreStreamOutput> = new Subject();
  readonly subscription: Subscription;
  readonly seen: string[] = [];
  readonly #engineIndex: number;
  /** What the consumer does with each notification, beside noting it. */
  onSeen: (text: string) => void = () => {};

  constructor(metrics: ServingMetrics, request: RequestInfo) {
    this.#engineIndex = request.engineIndex ?? 0;
    const stream: Observable<EngineCoreStreamOutput> = this.source.pipe(withRequestMetrics(metrics, request));
    const saw = (text: string) => {
      this.onSeen(text);
      this.seen.push(text);
    };
    this.subscription = stream.subscribe({
      next: ({ output }) => saw(`next ${output.newTokenIds?.length}`),
      error: (error) => saw(`error ${error}`),
      complete: () => saw('complete'),
    });
  }

  /** One output of so many tokens. */
  output(tokens: number, options: EngineOutputOptions = {}): this {
    this.source.next(engineOutput(tokens, { engineIndex: this.#engineIndex, ...options }));
    return this;
  }

  /** Ends as a request ends: with a last token and reason `stop`. */
  finish(options: EngineOutputOptions = {}): void {
    this.output(1, { finishReason: 'stop', ...options });
    this.source.complete();
  }

  abort(): void {
    this.subscription.unsubscribe();
  }
}

export class Rig {
  readonly registry: Registry;
  readonly metrics: ServingMetrics;
  readonly diagnostics: readonly MetricsDiagnostic[];
  nowMs = 1000;
  readonly #batches: Subject<EngineCoreOutputs>;

  constructor(options: RecordingOptions = {}) {
    const recorded = recording({ clock: { now: () => this.nowMs }, ...options });
    this.registry = recorded.registry;
    this.metrics = recorded.metrics;
    this.diagnostics = recorded.diagnostics;
    this.#batches = recorded.batches;
  }

  /** Another instance on the same registry. */
  sibling(options: RecordingOptions = {}): Rig {
    return new Rig({ ...options, registry: this.registry });
  }

  /** Starts a request on engine 0, or the one named. */
  request(request: Partial<RequestInfo> = {}): LiveRequest {
    return new LiveRequest(this.metrics, { numPromptTokens: 4, engineIndex: 0, ...request });
  }

  /** One step of an engine. */
  batch(batch: Partial<EngineCoreOutputs>): void {
    this.#batches.next({ engineIndex: 0, outputs: [], timestamp: 0, ...batch });
  }

  stats(schedulerStats: SchedulerStats, engineIndex = 0): void {
    this.batch({ engineIndex, schedulerStats });
  }

  /** Any value where a step is expected. */
  hostile(batch: unknown): void {
    this.#batches.next(batch as EngineCoreOutputs);
  }

  samples(): Promise<ReadonlyMap<string, number>> {
    return readSamples(this.registry);
  }

  /** Samples of one family, by label text. */
  async family(name: string): Promise<Record<string, number>> {
    const own = [...(await this.samples())].filter(([key]) => key === name || key.startsWith(`${name}{`));
    return Object.fromEntries(own.map(([key, value]) => [key.slice(name.length), value]));
  }

  /** The value of an engine's series of this model; undefined if it is not on the page. */
  async value(name: string, engine = 0, more = ''): Promise<number | undefined> {
    const labels = [`engine="${engine}"`, `model_name="${MODEL}"`, ...(more === '' ? [] : more.split(','))];
    return (await this.samples()).get(`${name}{${labels.sort().join(',')}}`);
  }

  /** Sources of what was reported, in order. */
  sources(): string[] {
    return this.diagnostics.map(({ source }) => source);
  }
}

/** A serving frontend in small, driven in the reports' notation: F is the frontend's clock, E the engine's, in seconds. */
import { Registry } from 'prom-client';
import { type MonoTypeOperatorFunction, type Observable, Subject, type Subscription } from 'rxjs';
import type {
  EngineCoreEvent,
  EngineCoreOutput,
  EngineCoreStreamOutput,
  FinishReason,
  PrefillStats,
  RequestInfo,
  SchedulerStats,
} from '../../../src/index.js';
import { withRequestMetrics } from '../../../src/index.js';
import { engineOutput, readSamples, schedulerStats } from '../../../src/testing/index.js';
import type { RecordingOptions } from '../../support/recording.js';
import { Rig } from '../../support/rig.js';
import { Page } from './page.js';

export const queued = (timestamp: number): EngineCoreEvent => ({ type: 'queued', timestamp });
export const scheduled = (timestamp: number): EngineCoreEvent => ({ type: 'scheduled', timestamp });
export const preempted = (timestamp: number): EngineCoreEvent => ({ type: 'preempted', timestamp });

/** A report's `out(…)`. */
export interface Out {
  readonly F?: number;
  readonly E?: number;
  readonly tok?: number;
  readonly ev?: readonly EngineCoreEvent[];
  readonly fin?: FinishReason;
  readonly prefill?: PrefillStats;
  readonly nans?: number;
  readonly engine?: number;
}

export function output({ E = 0, tok = 0, ev, fin, prefill, nans, engine }: Out): EngineCoreStreamOutput {
  return engineOutput(tok, {
    timestamp: E,
    ...(ev && { events: ev }),
    ...(fin && { finishReason: fin }),
    ...(prefill && { prefillStats: prefill }),
    ...(nans !== undefined && { numNansInLogits: nans }),
    ...(engine !== undefined && { engineIndex: engine }),
  });
}

type Operator = MonoTypeOperatorFunction<EngineCoreStreamOutput>;

/** One request: the engine's side as `source`, and what its consumer got. */
export class Client {
  readonly source: Subject<EngineCoreStreamOutput> = new Subject();
  readonly values: EngineCoreStreamOutput[] = [];
  readonly errors: unknown[] = [];
  completed = false;
  readonly subscription: Subscription;
  readonly #frontend: Frontend;

  constructor(frontend: Frontend, pipe: (source: Observable<EngineCoreStreamOutput>) => Observable<unknown>) {
    this.#frontend = frontend;
    this.subscription = pipe(this.source).subscribe({
      next: (value) => this.values.push(value as EngineCoreStreamOutput),
      error: (error) => this.errors.push(error),
      complete: () => {
        this.completed = true;
      },
    });
  }

  out(out: Out): this {
    if (out.F !== undefined) this.#frontend.at(out.F);
    this.source.next(output(out));
    return this;
  }

  unsubscribe(F?: number): void {
    if (F !== undefined) this.#frontend.at(F);
    this.subscription.unsubscribe();
  }
}

export const TEXT: string = Registry.PROMETHEUS_CONTENT_TYPE;
export const OPEN_METRICS: string = Registry.OPENMETRICS_CONTENT_TYPE;

/** Switches a registry's format. prom-client's types bind it at construction; at run time it can change. */
export function inFormat(registry: Registry, contentType: string): Registry {
  registry.setContentType(contentType as typeof registry.contentType);
  return registry;
}

/** The reports' `m` with engine 0, on a clock that begins at F = 0. */
export class Frontend extends Rig {
  override nowMs = 0;

  constructor(options: RecordingOptions = {}) {
    super({ engines: [0], ...options });
  }

  /** Sets the frontend's clock. */
  at(F: number): this {
    this.nowMs = F * 1000;
    return this;
  }

  operator(info: Partial<RequestInfo> = {}): Operator {
    return withRequestMetrics(this.metrics, { numPromptTokens: 10, engineIndex: 0, ...info });
  }

  /** A report's `arrive(…)`. */
  arrive(info: Partial<RequestInfo> & { readonly F?: number } = {}): Client {
    const { F, ...request } = info;
    if (F !== undefined) this.at(F);
    return new Client(this, (source) => source.pipe(this.operator(request)));
  }

  /** A report's `record(…)`: one engine step. */
  step(stats: SchedulerStats | undefined, outputs: readonly EngineCoreOutput[] = [], engineIndex = 0): void {
    this.batch({ engineIndex, outputs, ...(stats && { schedulerStats: schedulerStats(stats) }) });
  }

  async page(labels: Readonly<Record<string, string>> = {}): Promise<Page> {
    return new Page(await readSamples(this.registry), { model_name: 'm', engine: '0', ...labels });
  }
}

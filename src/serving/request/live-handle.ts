import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { EngineCoreStreamOutput } from '../../engine-core/engine-core-outputs.js';
import type { DiagnosticSource } from '../diagnostics.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import type { RecordingContext, TokenSource } from '../recording-context.js';
import { readClock } from './frontend-clock.js';
import { HandleRecorder } from './handle-recorder.js';
import { ParallelSampling } from './parallel-sampling.js';
import type { RequestHandle, RequestUsage } from './request-handle.js';
import { isFinishReason, type RequestPlan } from './request-info.js';

/** More than any server makes of one request. */
const MOST_CHOICES = 65_536;

/** The sequences of one request that was started without a stream. */
class HandleGroup {
  readonly context: RecordingContext;
  readonly plan: RequestPlan;
  readonly choices = new Map<number, LiveHandle>();
  readonly #engine: InstanceEngine;
  /** One a prompt, where prompts have several choices. */
  readonly #parents = new Map<number, ParallelSampling>();

  constructor(context: RecordingContext, engine: InstanceEngine, plan: RequestPlan) {
    this.context = context;
    this.#engine = engine;
    this.plan = plan;
  }

  recorder(index: number, arrivalMs?: number): HandleRecorder {
    const parent = this.plan.parent ?? this.#parentOf(index);
    const recorder = new HandleRecorder(this.context, this.#engine, { ...this.plan, parent });
    if (arrivalMs !== undefined) recorder.arrivalMs = arrivalMs;
    return recorder;
  }

  end(reason: FinishReason): void {
    for (const { recorder } of this.choices.values()) recorder.settle(reason);
    for (const parent of this.#parents.values()) parent.close();
  }

  #parentOf(index: number): ParallelSampling | undefined {
    const { n } = this.plan;
    if (n === 1) return undefined;
    const prompt = Math.floor(index / n);
    let parent = this.#parents.get(prompt);
    if (parent === undefined) {
      parent = new ParallelSampling(n);
      this.#parents.set(prompt, parent);
    }
    return parent;
  }
}

class LiveHandle implements RequestHandle {
  readonly recorder: HandleRecorder;
  readonly #group: HandleGroup;
  readonly #isWhole: boolean;

  constructor(group: HandleGroup, index: number, arrivalMs?: number) {
    this.#group = group;
    this.#isWhole = index === 0;
    this.recorder = group.recorder(index, arrivalMs);
    group.choices.set(index, this);
  }

  get n(): number {
    return this.#group.plan.n;
  }

  get ended(): boolean {
    return this.recorder.settled;
  }

  now(): number {
    return readClock(this.#group.context) / 1000;
  }

  next(value: EngineCoreStreamOutput): void {
    const { recorder } = this;
    if (recorder.settled) return;
    try {
      recorder.countedBy('token_ids');
      recorder.next(value);
    } catch (error) {
      recorder.failed(value, error);
    }
  }

  tokens(count: number, timestamp: number = this.now(), source: TokenSource = 'chunks'): void {
    this.recorder.tokens(count, timestamp, source);
  }

  usage(usage: RequestUsage): void {
    this.#safely(() => this.recorder.usage(usage));
  }

  end(reason: FinishReason): void {
    const { recorder } = this;
    if (recorder.settled) return;
    if (isFinishReason(reason)) recorder.settle(reason);
    else {
      recorder.report('finishReason', 'expected a finish reason, took error', reason);
      recorder.settle('error');
    }
  }

  fail(): void {
    if (this.#isWhole) this.#group.end('error');
    else this.recorder.settle('error');
  }

  choice(index: number): RequestHandle {
    const known = this.#group.choices.get(index);
    if (known !== undefined) return known;
    if (Number.isSafeInteger(index) && index > 0 && index < MOST_CHOICES)
      return new LiveHandle(this.#group, index, this.recorder.arrivalMs);
    this.recorder.report('choice', `expected a whole number below ${MOST_CHOICES}, took 0`, index);
    return this.#group.choices.get(0)!; // made with the group
  }

  [Symbol.dispose](): void {
    if (this.#isWhole) this.#group.end('abort');
    else this.recorder.settle('abort');
  }

  report(source: DiagnosticSource, message: string, value: unknown): void {
    this.recorder.report(source, message, value);
  }

  span(first: number, last: number): void {
    this.recorder.span(first, last);
  }

  /** What is handed in may throw when it is read. */
  #safely(record: () => void): void {
    try {
      record();
    } catch (error) {
      this.recorder.report('recording', 'expected to record a usage, recorded a part of it', error);
    }
  }
}

/** A request that starts now. */
export function liveHandle(
  context: RecordingContext,
  engine: InstanceEngine,
  plan: RequestPlan,
): RequestHandle {
  return new LiveHandle(new HandleGroup(context, engine, plan), 0);
}

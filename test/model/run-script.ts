/** Runs a script through router and operators, and the same through the reference. */
import { mergeWith, Subject, type Subscription, takeUntil } from 'rxjs';
import {
  type EngineCoreOutputs,
  type EngineCoreStreamOutput,
  OutputRouter,
  type ParallelSampling,
  type SchedulerStats,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { schedulerStats } from '../../src/testing/index.js';
import { type Recording, recording } from '../support/recording.js';
import { ReferencePage } from './page.js';
import { ReferenceParent, ReferenceRequest } from './request.js';
import { recordBatch } from './scheduler.js';
import { type OutputScript, outputOf, type Script, type Step } from './script.js';

interface Live {
  readonly reference: ReferenceRequest;
  readonly subscription: Subscription;
  /** Outputs and errors beside the router's. */
  readonly extra: Subject<EngineCoreStreamOutput>;
  readonly stop: Subject<void>;
}

export class ScriptRun {
  readonly recorded: Recording;
  readonly page: ReferencePage = new ReferencePage();
  /** Outputs with tokens that live requests got, by engine. */
  readonly outputsWithTokens: number[] = [];
  readonly #script: Script;
  readonly #router = new OutputRouter();
  readonly #batches = new Subject<EngineCoreOutputs>();
  readonly #live: (Live | undefined)[] = [];
  readonly #ourParent: ParallelSampling;
  readonly #parent = new ReferenceParent(2);
  #nowMs = 1_000_000;

  constructor(script: Script) {
    this.#script = script;
    const unknownIntervals = script.omit ? 'omit' : 'zero';
    this.recorded = recording({ clock: { now: () => this.#nowMs }, unknownIntervals });
    this.#ourParent = this.recorded.metrics.parallelSampling(2);
    this.#batches.pipe(withSchedulerMetrics(this.recorded.metrics)).subscribe(this.#router);
  }

  run(): this {
    for (const step of this.#script.steps) this.#step(step);
    for (let request = 0; request < this.#script.requests.length; request++) this.#cancel(request);
    return this;
  }

  #step(step: Step): void {
    this.#nowMs += step.elapsed;
    if (step.kind === 'batch') this.#batch(step);
    else if (step.kind === 'late') this.#late(step);
    else if (step.kind === 'open') this.#open(step.request);
    else if (step.kind === 'cancel') this.#cancel(step.request);
    else this.#break(step);
  }

  #open(request: number): void {
    if (this.#live[request] !== undefined) return;
    const { engineIndex, numPromptTokens, maxTokens, n, arrivedBefore, isChild, loraName } =
      this.#script.requests[request]!;
    this.page.addEngine(engineIndex);
    if ((arrivedBefore ?? 0) < 0) this.page.odd('arrivalTimeMs');
    const parent = isChild ? this.#parent : undefined;
    const reference = new ReferenceRequest(this.page, {
      engineIndex,
      numPromptTokens,
      maxTokens: maxTokens ?? undefined,
      n: n ?? 1,
      parent,
      omit: this.#script.omit,
      arrivalMs: this.#nowMs - Math.max(0, arrivedBefore ?? 0),
    });
    const operator = withRequestMetrics(this.recorded.metrics, {
      engineIndex,
      numPromptTokens,
      ...(maxTokens !== undefined && { maxTokens }),
      ...(n !== undefined && { n }),
      ...(arrivedBefore !== undefined && { arrivalTimeMs: this.#nowMs - arrivedBefore }),
      ...(isChild && { parent: this.#ourParent }),
      ...(loraName !== undefined && { loraName }),
    });
    const [extra, stop] = [new Subject<EngineCoreStreamOutput>(), new Subject<void>()];
    const stream = this.#router.open(String(request), engineIndex).pipe(mergeWith(extra), takeUntil(stop));
    this.#live[request] = {
      reference,
      extra,
      stop,
      subscription: stream.pipe(operator).subscribe({ error: () => {} }),
    };
  }

  #cancel(request: number): void {
    const live = this.#live[request];
    if (live === undefined) return;
    if (!live.subscription.closed) live.reference.end('abort', this.#nowMs);
    live.subscription.unsubscribe();
  }

  #break({ kind, request }: Extract<Step, { request: number }>): void {
    const live = this.#live[request];
    if (live === undefined || live.subscription.closed) return;
    live.reference.end(kind === 'fail' ? 'error' : 'abort', this.#nowMs);
    if (kind === 'fail') live.extra.error(new Error('of the source'));
    else live.stop.next();
  }

  #batch({ engine, mixed, time, outputs, stats }: Extract<Step, { kind: 'batch' }>): void {
    const engineOf = ({ request }: OutputScript) => this.#script.requests[request]!.engineIndex;
    this.#send(engine, time, mixed ? outputs : outputs.filter((each) => engineOf(each) === engine), stats);
    for (const other of mixed ? [] : new Set(outputs.map(engineOf))) {
      if (other === engine) continue;
      const own = outputs.filter((each) => engineOf(each) === other);
      this.#send(other, time, own, undefined);
    }
  }

  #send(
    engine: number,
    time: number | undefined,
    outputs: readonly OutputScript[],
    stats: SchedulerStats | undefined,
  ): void {
    for (const { request } of outputs) this.#open(request);
    const batch = {
      engineIndex: engine,
      timestamp: time as number,
      outputs: outputs.map(outputOf),
      ...(stats !== undefined && { schedulerStats: schedulerStats(stats) }),
    };
    this.page.addEngine(engine);
    recordBatch(this.page, batch);
    outputs.forEach(({ request }, i) => {
      if (this.#script.requests[request]!.engineIndex !== engine) return; // another engine's outputs are nobody's
      this.#expect(request, { engineIndex: engine, timestamp: batch.timestamp, output: batch.outputs[i]! });
    });
    this.#batches.next(batch);
  }

  #late({ engine, output, time }: Extract<Step, { kind: 'late' }>): void {
    this.#open(output.request);
    const value = { engineIndex: engine, timestamp: time as number, output: outputOf(output) };
    this.#expect(output.request, value);
    this.#live[output.request]!.extra.next(value);
  }

  #expect(request: number, value: EngineCoreStreamOutput): void {
    const { reference, subscription } = this.#live[request]!;
    const { engineIndex } = this.#script.requests[request]!;
    if (subscription.closed || reference.ended !== undefined) return;
    const hasTokens = value.output.newTokenIds.length > 0 ? 1 : 0;
    this.outputsWithTokens[engineIndex] = (this.outputsWithTokens[engineIndex] ?? 0) + hasTokens;
    reference.next(value, this.#nowMs);
  }
}

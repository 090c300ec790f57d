import type { EngineCoreOutputs, EngineCoreStreamOutput, FinishedRequestStats } from '../../index.js';
import { LatencySample } from './latency-sample.js';

/** What one engine was seen to do: counted apart from the metrics, to be compared with them. */
export interface EngineCounts {
  /** Requests handed to it. */
  submitted: number;
  /** Their prompts' tokens. */
  promptTokens: number;
  /** Outputs with tokens that it sent. */
  outputsWithTokens: number;
  /** Ended requests that share their parent's sample with one that ended later. */
  siblings: number;
  /** Of its outputs with tokens, those that came after their client had left. */
  strayOutputs: number;
}

/** An engine that is gone, and the requests that ended as errors with it. */
export interface EngineLoss {
  readonly engineIndex: number;
  readonly reason: string;
  readonly numRequests: number;
}

/** What the demo keeps of a run, beside its metrics. */
export class RunRecord {
  readonly engines: Map<number, EngineCounts> = new Map();
  /** Seconds, of each request that got a token. */
  readonly timesToFirstToken: LatencySample = new LatencySample();
  /** Seconds, of each ended request. */
  readonly e2eLatencies: LatencySample = new LatencySample();
  /** Siblings that have ended, by parent. */
  readonly #ended = new Map<string, number>();
  submitted = 0;
  numAborted = 0;
  numPreempted = 0;
  /** Engines that died, and what ended with them. */
  readonly losses: EngineLoss[] = [];

  constructor(engines: readonly number[]) {
    for (const index of engines) this.#engine(index);
  }

  get finished(): number {
    return this.e2eLatencies.count;
  }

  submit(engineIndex: number, numPromptTokens: number): void {
    const counts = this.#engine(engineIndex);
    this.submitted++;
    counts.submitted++;
    counts.promptTokens += numPromptTokens;
  }

  batch({ engineIndex, outputs }: EngineCoreOutputs): void {
    const counts = this.#engine(engineIndex);
    for (const { newTokenIds } of outputs) if (newTokenIds.length > 0) counts.outputsWithTokens++;
  }

  /** A batch of which some may find nobody; {@link delivered} tells of the others. */
  sent(batch: EngineCoreOutputs): void {
    this.batch(batch);
    const counts = this.#engine(batch.engineIndex);
    for (const { newTokenIds } of batch.outputs) if (newTokenIds.length > 0) counts.strayOutputs++;
  }

  delivered({ engineIndex, output }: EngineCoreStreamOutput): void {
    if (output.newTokenIds.length > 0) this.#engine(engineIndex).strayOutputs--;
  }

  lost(loss: EngineLoss): void {
    this.losses.push(loss);
  }

  finish(request: FinishedRequestStats): void {
    const { timeToFirstToken, e2eLatency, finishReason, numPreemptions } = request;
    if (request.n > 1) this.#finishSibling(request);
    if (timeToFirstToken !== undefined) this.timesToFirstToken.add(timeToFirstToken);
    this.e2eLatencies.add(e2eLatency);
    if (finishReason === 'abort') this.numAborted++;
    if (numPreemptions > 0) this.numPreempted++;
  }

  /** Siblings are named after their parent, with a number after it; the last one to end has the parent's sample. */
  #finishSibling({ requestId = '', engineIndex, n }: FinishedRequestStats): void {
    const parent = requestId.slice(0, requestId.lastIndexOf('-'));
    const ended = (this.#ended.get(parent) ?? 0) + 1;
    if (ended < n) {
      this.#ended.set(parent, ended);
      this.#engine(engineIndex).siblings++;
    } else this.#ended.delete(parent);
  }

  #engine(index: number): EngineCounts {
    const known = this.engines.get(index);
    if (known !== undefined) return known;
    const counts = { submitted: 0, promptTokens: 0, outputsWithTokens: 0, siblings: 0, strayOutputs: 0 };
    this.engines.set(index, counts);
    return counts;
  }
}

import type { EngineCoreOutputs, FinishedRequestStats } from '../../index.js';
import type { SubmittedRequest } from '../../simulator/index.js';
import { LatencySample } from './latency-sample.js';

/** What one engine was seen to do: counted apart from the metrics, to be compared with them. */
export interface EngineCounts {
  /** Requests handed to it. */
  submitted: number;
  /** Their prompts' tokens. */
  promptTokens: number;
  /** Outputs with tokens that it sent. */
  outputsWithTokens: number;
}

/** What the demo keeps of a run, beside its metrics. */
export class RunRecord {
  readonly engines: ReadonlyMap<number, EngineCounts>;
  /** Seconds, of each request that got a token. */
  readonly timesToFirstToken: LatencySample = new LatencySample();
  /** Seconds, of each ended request. */
  readonly e2eLatencies: LatencySample = new LatencySample();
  submitted = 0;
  numAborted = 0;
  numPreempted = 0;

  constructor(engines: readonly number[]) {
    this.engines = new Map(
      engines.map((index) => [index, { submitted: 0, promptTokens: 0, outputsWithTokens: 0 }]),
    );
  }

  get finished(): number {
    return this.e2eLatencies.count;
  }

  submit({ engineIndex, request }: SubmittedRequest): void {
    const counts = this.#engine(engineIndex);
    this.submitted++;
    counts.submitted++;
    counts.promptTokens += request.numPromptTokens;
  }

  batch({ engineIndex, outputs }: EngineCoreOutputs): void {
    const counts = this.#engine(engineIndex);
    for (const { newTokenIds } of outputs) if (newTokenIds.length > 0) counts.outputsWithTokens++;
  }

  finish({ timeToFirstToken, e2eLatency, finishReason, numPreemptions }: FinishedRequestStats): void {
    if (timeToFirstToken !== undefined) this.timesToFirstToken.add(timeToFirstToken);
    this.e2eLatencies.add(e2eLatency);
    if (finishReason === 'abort') this.numAborted++;
    if (numPreemptions > 0) this.numPreempted++;
  }

  #engine(index: number): EngineCounts {
    return this.engines.get(index)!; // the fleet has no others
  }
}

import { type Observable, type SchedulerLike, Subscription, takeUntil, takeWhile, timer } from 'rxjs';
import { type EngineCoreStreamOutput, type ServingMetrics, withRequestMetrics } from '../../index.js';
import type { SimulatedRequest, SubmittedRequest } from '../../simulator/index.js';
import { SeededRandom } from '../../simulator/random.js';
import type { DemoOptions } from '../command/options.js';

/** Another stream of the seed than the workload's and the engines'. */
const CLIENT_STREAM = -2;
/** Share of those who leave early that leave at a moment, the others after some of the answer. */
const IMPATIENT_SHARE = 0.5;
/** Longest patience, in milliseconds: some leave before the first token. */
const MAX_PATIENCE_MS = 200;

type Stream = Observable<EngineCoreStreamOutput>;

/** What clients wait for answers of. */
export interface ClientSurroundings {
  /** A request's outputs; unsubscribing tells its engine that the client has left. */
  readonly open: (engineIndex: number, request: SimulatedRequest) => Stream;
  readonly metrics: ServingMetrics;
  /** Of their patience. */
  readonly scheduler: SchedulerLike;
}

/** Everybody who waits for an answer: opens each request's stream, and leaves some of them early. */
export class Clients {
  /** Share of those who leave early. */
  abortRate: number;
  readonly #surroundings: ClientSurroundings;
  readonly #random: SeededRandom;
  readonly #streams: Subscription = new Subscription();

  constructor(
    surroundings: ClientSurroundings,
    { seed, abortRate }: Pick<DemoOptions, 'seed' | 'abortRate'>,
  ) {
    this.#surroundings = surroundings;
    this.abortRate = abortRate;
    this.#random = new SeededRandom(seed, CLIENT_STREAM);
  }

  /** Opens a request's stream and reads it to its end, or not. */
  open({ request, engineIndex, arrivalTimeMs }: SubmittedRequest): void {
    const { numPromptTokens, numOutputTokens, maxTokens, loraName } = request;
    const { open, metrics } = this.#surroundings;
    const answer = open(engineIndex, request).pipe(
      withRequestMetrics(metrics, {
        engineIndex,
        requestId: request.requestId,
        numPromptTokens,
        arrivalTimeMs,
        ...(maxTokens !== undefined && { maxTokens }),
        ...(loraName !== undefined && { loraName }),
      }),
    );
    // An engine that dies is on the record; nobody reads the answer that far.
    this.#streams.add(this.#read(answer, numOutputTokens).subscribe({ error: () => {} }));
  }

  /** Everybody leaves at once. */
  leave(): void {
    this.#streams.unsubscribe();
  }

  #read(answer: Stream, numOutputTokens: number): Stream {
    if (!this.#random.chance(this.abortRate)) return answer;
    if (!this.#random.chance(IMPATIENT_SHARE)) return upTo(answer, this.#random.upTo(numOutputTokens));
    const patienceMs = this.#random.next() * MAX_PATIENCE_MS;
    return answer.pipe(takeUntil(timer(patienceMs, this.#surroundings.scheduler)));
  }
}

/** The outputs until so many tokens have come. */
function upTo(answer: Stream, numTokens: number): Stream {
  let left = numTokens;
  const isShort = ({ output }: EngineCoreStreamOutput) => {
    left -= output.newTokenIds.length;
    return left > 0;
  };
  return answer.pipe(takeWhile(isShort, true));
}

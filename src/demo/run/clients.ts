import { type Observable, Subscription, takeUntil, takeWhile, timer } from 'rxjs';
import {
  type EngineCoreStreamOutput,
  type OutputRouter,
  type ServingMetrics,
  withRequestMetrics,
} from '../../index.js';
import type { EngineFleet, SubmittedRequest } from '../../simulator/index.js';
import { SeededRandom } from '../../simulator/random.js';
import type { DemoOptions } from '../command/options.js';
import type { Playback } from './playback.js';

/** Another stream of the seed than the workload's and the engines'. */
const CLIENT_STREAM = -2;
/** Share of those who leave early that leave at a moment, the others after some of the answer. */
const IMPATIENT_SHARE = 0.5;
/** Longest patience, in milliseconds: some leave before the first token. */
const MAX_PATIENCE_MS = 200;

type Stream = Observable<EngineCoreStreamOutput>;

/** Everybody who waits for an answer: opens each request's stream, and leaves some of them early. */
export class Clients {
  readonly #router: OutputRouter;
  readonly #metrics: ServingMetrics;
  readonly #fleet: EngineFleet;
  readonly #playback: Playback;
  readonly #abortRate: number;
  readonly #random: SeededRandom;
  readonly #streams: Subscription = new Subscription();

  constructor(
    router: OutputRouter,
    metrics: ServingMetrics,
    fleet: EngineFleet,
    playback: Playback,
    { seed, abortRate }: DemoOptions,
  ) {
    this.#router = router;
    this.#metrics = metrics;
    this.#fleet = fleet;
    this.#playback = playback;
    this.#abortRate = abortRate;
    this.#random = new SeededRandom(seed, CLIENT_STREAM);
  }

  /** Opens a request's stream and reads it to its end, or not. */
  open({ request, engineIndex, arrivalTimeMs }: SubmittedRequest): void {
    const { requestId, numPromptTokens, numOutputTokens, maxTokens, loraName } = request;
    const onAbort = () => this.#fleet.abort(engineIndex, [requestId]);
    const answer = this.#router.open(requestId, engineIndex, { onAbort }).pipe(
      withRequestMetrics(this.#metrics, {
        numPromptTokens,
        arrivalTimeMs,
        ...(maxTokens !== undefined && { maxTokens }),
        ...(loraName !== undefined && { loraName }),
      }),
    );
    this.#streams.add(this.#read(answer, numOutputTokens).subscribe());
  }

  /** Everybody leaves at once. */
  leave(): void {
    this.#streams.unsubscribe();
  }

  #read(answer: Stream, numOutputTokens: number): Stream {
    if (!this.#random.chance(this.#abortRate)) return answer;
    if (!this.#random.chance(IMPATIENT_SHARE)) return upTo(answer, this.#random.upTo(numOutputTokens));
    const patienceMs = this.#random.next() * MAX_PATIENCE_MS;
    return answer.pipe(takeUntil(timer(patienceMs, this.#playback.scheduler)));
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

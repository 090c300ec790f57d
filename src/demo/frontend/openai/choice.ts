import { Observable, Subscription } from 'rxjs';
import type {
  EngineCoreOutput,
  FinishedRequestStats,
  FinishReason,
  ParallelSampling,
} from '../../../index.js';
import type { LiveServing } from '../live-serving.js';
import { ChoiceText } from './choice-text.js';

/** One of the answers that a client asked for. */
export interface ChoicePlan {
  /** Its place in the response. */
  readonly index: number;
  readonly requestId: string;
  readonly prompt: readonly number[];
  readonly maxTokens: number;
  /** Tokens after which the model would end by itself. */
  readonly numOutputTokens: number;
  readonly seed: number;
  readonly stops: readonly string[];
  readonly arrivalTimeMs: number;
  readonly n: number;
  readonly parent: ParallelSampling | undefined;
}

/** What has become of a choice since the last event; the last one has a reason or an error. */
export interface ChoiceEvent {
  readonly index: number;
  readonly text: string;
  readonly numTokens: number;
  readonly finishReason?: FinishReason;
  /** With the reason, if it was asked for. */
  readonly stats?: FinishedRequestStats | undefined;
  readonly error?: unknown;
}

/**
 * A choice as an engine generates it; whoever unsubscribes early has left, and the engine stops. It never errors: what
 * befalls one choice must not cut another one short in the middle of a batch.
 */
export function choiceOf(
  serving: LiveServing,
  plan: ChoicePlan,
  engineIndex: number,
): Observable<ChoiceEvent> {
  return new Observable((subscriber) => {
    const { index, requestId, prompt, maxTokens, numOutputTokens, stops } = plan;
    const text = new ChoiceText(plan.seed, stops);
    const upstream = new Subscription();
    serving.choices.add(upstream);
    const end = (event: Omit<ChoiceEvent, 'index' | 'stats'>) => {
      upstream.unsubscribe(); // the record of a stop string is made here, so only then there are stats
      subscriber.next({ index, stats: serving.finished.take(requestId), ...event });
      subscriber.complete();
    };
    const next = ({ newTokenIds: { length: numTokens }, finishReason }: EngineCoreOutput) => {
      const piece = text.add(numTokens, typeof finishReason === 'string');
      // The engine's own reason is on the record, so it is the client's too, even if a stop string came with it.
      const reason = finishReason ?? (text.hasStopped ? 'stop' : undefined);
      if (reason === undefined) subscriber.next({ index, text: piece, numTokens });
      else if (reason === 'error') end({ text: piece, numTokens, error: new Error('the engine failed') });
      else end({ text: piece, numTokens, finishReason: reason });
    };
    const info = {
      numPromptTokens: prompt.length,
      arrivalTimeMs: plan.arrivalTimeMs,
      maxTokens,
      n: plan.n,
      parent: plan.parent,
      unsubscribeReason: () => (text.hasStopped ? 'stop' : 'abort') as FinishReason,
    };
    serving.finished.await(requestId);
    const request = { requestId, promptTokenIds: prompt, samplingParams: { maxTokens }, numOutputTokens };
    upstream.add(
      serving.open(engineIndex, request, info).subscribe({
        next: ({ output }) => next(output),
        error: (error: unknown) => end({ text: '', numTokens: 0, error }),
      }),
    );
    return () => {
      upstream.unsubscribe();
      serving.finished.take(requestId); // of one that left
    };
  });
}

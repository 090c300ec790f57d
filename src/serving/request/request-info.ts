/** What is known of a request before its first output. */

import type { FinishReason } from '../../engine-core/engine-core-event.js';
import { assertWholeNumber } from '../checks.js';
import type { DiagnosticSource, Diagnostics, Reporter } from '../diagnostics.js';
import type { ParallelSampling } from './parallel-sampling.js';

/** What `withRequestMetrics` takes; a bad prompt length or engine throws, anything else odd is a diagnostic. */
export interface RequestInfo {
  /** Prompt length in tokens; without it the engine's own figure, which also counts where the two differ. */
  readonly numPromptTokens?: number | null | undefined;
  /** The engine that serves it; by default the one the source is tagged with. */
  readonly engineIndex?: number | undefined;
  /** For diagnostics and `finishedRequests`; by default the source's. */
  readonly requestId?: string | undefined;
  /** When it arrived, epoch ms (with a custom clock: in that clock's ms); by default at subscription. */
  readonly arrivalTimeMs?: number | undefined;
  /** The max_tokens parameter; without a number no sample of it is taken. */
  readonly maxTokens?: number | null | undefined;
  /** The n parameter, 1 by default. */
  readonly n?: number | undefined;
  /** The LoRA adapter it uses. */
  readonly loraName?: string | undefined;
  /** Shared by the n sequences of one parent request. */
  readonly parent?: ParallelSampling | undefined;
  /** Why the stream is being unsubscribed: `stop` if a stop string cut it; by default `abort`. */
  readonly unsubscribeReason?: (() => FinishReason) | undefined;
}

/** A checked {@link RequestInfo}. */
export interface RequestPlan {
  readonly engineIndex: number;
  readonly requestId: string | undefined;
  readonly numPromptTokens: number | undefined;
  readonly arrivalTimeMs: number | undefined;
  readonly maxTokens: number | undefined;
  readonly n: number;
  readonly loraName: string | undefined;
  readonly parent: ParallelSampling | undefined;
  readonly unsubscribeReason: (() => FinishReason) | undefined;
}

/** Reads an optional argument; what does not hold, or throws when read, is reported and counts as absent. */
function optional<T>(
  source: DiagnosticSource & keyof RequestInfo,
  request: RequestInfo,
  expected: string,
  holds: (value: unknown) => value is T,
  reporter: Reporter,
): T | undefined {
  let value: unknown;
  try {
    value = request[source];
    if (value === undefined || value === null || holds(value)) return value ?? undefined;
  } catch (error) {
    value = error;
  }
  reporter.report(source, `expected ${expected}, took it as absent`, value);
  return undefined;
}

const isWhole = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;
const isPositiveWhole = (value: unknown): value is number => isWhole(value) && value >= 1;
const isFiniteNumber = (value: unknown): value is number => Number.isFinite(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isFunction = (value: unknown): value is () => FinishReason => typeof value === 'function';
// By shape, not by class: the parent may come from another loaded copy of this package.
const isParent = (value: unknown): value is ParallelSampling =>
  typeof value === 'object' && typeof (value as Partial<ParallelSampling>).childEnded === 'function';

/**
 * The prompt's length in tokens as the caller knows it, undefined if not.
 * @throws {TypeError | RangeError} if it is something else than a whole number of at least 0.
 */
export function promptLengthOf(subject: string, { numPromptTokens }: RequestInfo): number | undefined {
  if (numPromptTokens === undefined || numPromptTokens === null) return undefined;
  assertWholeNumber(subject, numPromptTokens);
  return numPromptTokens;
}

/**
 * Checks what a request says of itself; `tag` is the source's word for its id.
 * @throws {TypeError | RangeError} if `numPromptTokens` is there and no whole number of at least 0; anything else odd is
 * reported and counts as absent.
 */
export function planRequest(
  request: RequestInfo,
  engineIndex: number,
  tag: string | undefined,
  diagnostics: Pick<Diagnostics, 'report'>,
): RequestPlan {
  const numPromptTokens = promptLengthOf('numPromptTokens', request);
  let requestId = tag;
  const reporter: Reporter = {
    report: (source, message, value) =>
      diagnostics.report(source, message, value, { engineIndex, requestId }),
  };
  requestId = optional('requestId', request, 'a non-empty string', isText, reporter) ?? tag;
  return {
    engineIndex,
    requestId,
    numPromptTokens,
    arrivalTimeMs: optional('arrivalTimeMs', request, 'a time in ms', isFiniteNumber, reporter),
    maxTokens: optional('maxTokens', request, 'a whole number', isWhole, reporter),
    n: optional('n', request, 'a whole number of at least 1', isPositiveWhole, reporter) ?? 1,
    loraName: optional('loraName', request, 'a non-empty string', isText, reporter),
    parent: optional('parent', request, 'a ParallelSampling', isParent, reporter),
    unsubscribeReason: optional('unsubscribeReason', request, 'a function', isFunction, reporter),
  };
}

/** True for a finish reason. A switch, not a look-up in a record: that would let `'toString'` in. */
export function isFinishReason(value: unknown): value is FinishReason {
  switch (value) {
    case 'stop':
    case 'length':
    case 'abort':
    case 'error':
    case 'repetition':
      return true;
    default:
      return false;
  }
}

/** The reason an unsubscribe has, by the request's own word. */
export function unsubscribeReasonOf(plan: RequestPlan, reporter: Reporter): FinishReason {
  if (plan.unsubscribeReason === undefined) return 'abort';
  let reason: unknown;
  try {
    reason = plan.unsubscribeReason();
  } catch (error) {
    reason = error;
  }
  if (isFinishReason(reason)) return reason;
  reporter.report('unsubscribeReason', 'expected a finish reason, took abort', reason);
  return 'abort';
}

import type { Observable } from 'rxjs';
import type { EngineCoreOutputs, EngineCoreStreamOutput } from '../../index.js';
import type { MultiModalCacheQuery, SimulatedRequest } from '../../simulator/index.js';
import type { EngineLoss } from '../run/run-record.js';
import type { EngineStatus } from './fleet-status.js';

/** A request in the wire's shape, that knows how long its answer would be by itself. */
export interface PromptRequest {
  readonly requestId: string;
  readonly promptTokenIds: readonly number[];
  readonly samplingParams: { readonly maxTokens: number };
  readonly numOutputTokens: number;
}

export type FleetRequest = SimulatedRequest | PromptRequest;

/** Engines that serve: in this process, or connected from others. */
export interface Fleet {
  /** Whether engines can be added, killed, restarted and removed from here. */
  readonly canChange: boolean;
  /** Whether an answer may end before its cap; where not, whoever names none needs one. */
  readonly endsAnswers: boolean;
  /** Whether outputs may still come for a request that its client has left. */
  readonly sendsStrays: boolean;
  /** Tokens of prompt and answer together that an engine has room for. */
  readonly maxModelLen: number;
  /** Every engine's batches, each before its requests' streams get their part. */
  readonly batches$: Observable<EngineCoreOutputs>;
  readonly multiModalCache$: Observable<MultiModalCacheQuery>;
  /** Engines that have died; their streams have ended before. */
  readonly lost$: Observable<EngineLoss>;
  /** Engines that have left for good. */
  readonly removed$: Observable<number>;
  /** In ascending order. */
  readonly indexes: readonly number[];
  readonly isServing: boolean;
  /** Requests that wait, over all engines. */
  readonly numWaiting: number;
  /** What `cache_config_info` shows of an engine, in vLLM's names. */
  cacheConfigOf(index: number): Readonly<Record<string, unknown>>;
  /** @throws {EngineStateError} for an engine that is not there. */
  statusOf(index: number): EngineStatus;
  /** The least loaded engine that runs, equal loads take turns; `undefined` if none does. */
  pick(): number | undefined;
  /** A request's outputs: subscribing sends it to the engine, unsubscribing aborts it. */
  open(index: number, request: FleetRequest): Observable<EngineCoreStreamOutput>;
  /** Starts an engine at the lowest free index. @throws {EngineStateError} if there are too many. */
  add(): number;
  /** Lets an engine finish what it has; it leaves with its last request, a dead one at once. @throws {EngineStateError} */
  remove(index: number): void;
  /** An engine dies: its streams end as errors. @throws {EngineStateError} if it is dead. */
  kill(index: number): void;
  /** A dead engine starts anew. @throws {EngineStateError} if it is not dead. */
  restart(index: number): void;
  close(): Promise<void>;
}

/** An engine is not in a state for what is asked of it. */
export class EngineStateError extends Error {
  override readonly name = 'EngineStateError';

  constructor(subject: string, expected: string, got: string) {
    super(`${subject}: expected ${expected}, got ${got}`);
  }
}

/** Stage of the work: the handle's shape, until the recording floor has it. */
import type { EngineCoreStreamOutput, FinishReason } from '../engine-core/engine-core-outputs.js';

export interface EngineTimings {
  readonly queuedTime?: number;
  readonly prefillTime?: number;
  readonly decodeTime?: number;
}

export interface RequestUsage {
  readonly promptTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  readonly timings?: EngineTimings | undefined;
}

export type TokenSource = 'token_ids' | 'chunks';

export interface RequestHandle {
  readonly n: number;
  readonly ended: boolean;
  now(): number;
  next(value: EngineCoreStreamOutput): void;
  tokens(count: number, timestamp?: number, source?: TokenSource): void;
  usage(usage: RequestUsage): void;
  end(reason: FinishReason): void;
  fail(): void;
  choice(index: number): RequestHandle;
  report(source: string, message: string, value: unknown): void;
  span(first: number, last: number): void;
  [Symbol.dispose](): void;
}

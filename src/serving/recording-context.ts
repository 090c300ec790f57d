/** What the recorders of one instance have in common. */
import type { Subject, TimestampProvider } from 'rxjs';
import type { Counter } from '../metric/counter.js';
import type { Diagnostics } from './diagnostics.js';
import type { LoraTracker } from './engines/lora.js';
import type { FinishedRequestStats } from './finished-request-stats.js';

/** How the tokens of a request were counted: by a server's usage, by their ids, or by chunks, which may hold several. */
export type TokenSource = 'usage' | 'token_ids' | 'chunks';

export interface RecordingContext {
  readonly modelName: string;
  /** True once the instance was disposed: recordings go nowhere. */
  readonly disposed: boolean;
  /** The host's clock, or the default one; in ms. */
  readonly clock: TimestampProvider;
  /** True for the monotonic one, of which the caller's arrival times know nothing. */
  readonly isDefaultClock: boolean;
  /** Durations with a missing end are no sample; otherwise they are 0. */
  readonly omitUnknown: boolean;
  readonly diagnostics: Diagnostics;
  readonly finished: Subject<FinishedRequestStats>;
  readonly lora: LoraTracker;
  /** Requests with tokens, by how these were counted. Only a gateway says so: an engine's request would pay 20 ns for it. */
  readonly tokenCounts: Readonly<Record<TokenSource, Counter>> | undefined;
}

/** What the recorders of one instance have in common. */
import type { Subject, TimestampProvider } from 'rxjs';
import type { Diagnostics } from './diagnostics.js';
import type { FinishedRequestStats } from './finished-request.js';
import type { LoraTracker } from './lora.js';

export interface RecordingContext {
  readonly modelName: string;
  /** The host's clock in ms; undefined: the default one. */
  readonly clock: TimestampProvider | undefined;
  /** Durations with a missing end are no sample; otherwise they are 0. */
  readonly omitUnknown: boolean;
  readonly diagnostics: Diagnostics;
  readonly finished: Subject<FinishedRequestStats>;
  readonly lora: LoraTracker;
}

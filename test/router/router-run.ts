/** A router in the test's hands, and a log of what one request's consumer sees. */
import type { Subscription } from 'rxjs';
import type {
  EngineCoreOutput,
  EngineCoreOutputStream,
  EngineCoreOutputs,
  OpenOptions,
  OutputRouter,
} from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';

/** An output of a request; with `finishReason` its final one. */
export function output(requestId: string, newTokens = 1, final = false): EngineCoreOutput {
  return engineOutput(newTokens, { requestId, ...(final && { finishReason: 'stop' as const }) }).output;
}

/** A step of engine 0. */
export function batch(
  outputs: readonly EngineCoreOutput[],
  finishedRequests?: readonly string[],
): EngineCoreOutputs {
  return { engineIndex: 0, timestamp: 1, outputs, ...(finishedRequests && { finishedRequests }) };
}

export interface Client {
  readonly stream: EngineCoreOutputStream;
  readonly subscription: Subscription;
  /** Outputs as they came, then how it ended. */
  readonly seen: unknown[];
  /** Ids that `onAbort` was called with. */
  readonly aborted: string[];
}

/** Subscribes to a stream; `react` is called with each output. */
export function watch(stream: EngineCoreOutputStream, seen: unknown[], react?: () => void): Subscription {
  return stream.subscribe({
    next: ({ output: value }) => {
      seen.push(value);
      react?.();
    },
    error: (error) => seen.push(error),
    complete: () => seen.push('complete'),
  });
}

/** Opens a request and subscribes to it. */
export function client(
  router: OutputRouter,
  id: string,
  options: OpenOptions = {},
  react?: () => void,
): Client {
  const aborted: string[] = [];
  const seen: unknown[] = [];
  const onAbort = (requestId: string) => {
    aborted.push(requestId);
    options.onAbort?.(requestId);
  };
  const stream = router.open(id, 0, { onAbort });
  return { stream, subscription: watch(stream, seen, react), seen, aborted };
}

/** A router that has been told to send one output. */
export function send(router: OutputRouter, ...outputs: readonly EngineCoreOutput[]): void {
  router.next(batch(outputs));
}

import { deepStrictEqual } from 'node:assert';
import type { TimestampProvider } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';

/** What a marble test works with: RxJS's helpers, and their virtual time in ms as a clock for `ServingMetrics`. */
export interface MarbleHelpers extends RunHelpers {
  readonly clock: TimestampProvider;
}

/**
 * Runs a marble test in virtual time. A mismatch throws an `AssertionError`, whatever the test framework is.
 * Inside `body` nothing has happened yet: look at the metrics after this returns.
 */
export function runMarbles<T>(body: (helpers: MarbleHelpers) => T): T {
  const scheduler = new TestScheduler((actual, expected) => deepStrictEqual(actual, expected));
  const clock: TimestampProvider = { now: () => scheduler.now() };
  return scheduler.run((helpers) => body({ ...helpers, clock }));
}

import { deepStrictEqual } from 'node:assert';
import type { TimestampProvider } from 'rxjs';
import { type RunHelpers, TestScheduler } from 'rxjs/testing';

/** What a marble test works with: RxJS's helpers, and a clock of their virtual time in ms for `ServingMetrics`. */
export interface MarbleHelpers extends RunHelpers {
  readonly clock: TimestampProvider;
}

/**
 * Runs a marble test in virtual time. A mismatch throws an `AssertionError`, whatever the test framework.
 * What was recorded is there once this returns: inside `body` nothing has happened yet.
 */
export function runMarbles<T>(body: (helpers: MarbleHelpers) => T): T {
  const scheduler = new TestScheduler((actual, expected) => deepStrictEqual(actual, expected));
  const clock: TimestampProvider = { now: () => scheduler.now() };
  return scheduler.run((helpers) => body({ ...helpers, clock }));
}

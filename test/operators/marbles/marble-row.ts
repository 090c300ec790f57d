import type { Observable } from 'rxjs';
import type { RunHelpers } from 'rxjs/testing';
import { expect } from 'vitest';
import type { EngineCoreStreamOutput } from '../../../src/index.js';
import { runMarbles } from '../../../src/testing/index.js';
import { type Ended, expectEnded } from './ended.js';
import { type MarbleRun, marbleRun, values } from './marble-request.js';

type Outputs = Observable<EngineCoreStreamOutput>;

/** A pipeline around the operator, what its consumer sees, and the records it makes. */
export interface MarbleRow {
  readonly name: string;
  readonly source: string;
  readonly stream: (source: Outputs, operator: MarbleRun['operator'], helpers: RunHelpers) => Outputs;
  /** When the consumer leaves; by default it stays. */
  readonly subscription?: string;
  readonly mirrored: string;
  readonly sourceSubscriptions: string | string[];
  readonly ended: readonly Ended[];
  readonly error?: unknown;
}

/** Runs a row, and the same pipeline with no operator in it: both mirror the same. */
export async function expectRow(row: MarbleRow): Promise<void> {
  const { source, stream, subscription, mirrored, sourceSubscriptions, ended, error } = row;
  const run = runMarbles((helpers) => {
    const started = marbleRun(helpers.clock);
    for (const operator of [started.operator, (outputs: Outputs) => outputs]) {
      const outputs = helpers.cold(source, values);
      const seen = stream(outputs, operator, helpers);
      helpers.expectObservable(seen, subscription).toBe(mirrored, values, error);
      helpers.expectSubscriptions(outputs.subscriptions).toBe(sourceSubscriptions);
    }
    return started;
  });
  await expectEnded(run, ended);
  expect(run.diagnostics).toEqual([]);
}

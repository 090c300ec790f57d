/** Steps of engine 0 through `withSchedulerMetrics`, for tables of rules. */
import { from } from 'rxjs';
import { expect } from 'vitest';
import { type EngineCoreOutputs, withSchedulerMetrics } from '../../../src/index.js';
import { recording } from '../../support/recording.js';
import type { Served } from './serve.js';

/** Sends scheduler stats of any kind, one step each. */
export function sendStats(...stats: readonly unknown[]): Promise<Served> {
  return sendSteps(
    ...stats.map((schedulerStats) => ({ engineIndex: 0, timestamp: 1, outputs: [], schedulerStats })),
  );
}

/** Sends steps of any kind. */
export async function sendSteps(...steps: readonly unknown[]): Promise<Served> {
  const recorded = recording({ engines: [0] });
  const seen: unknown[] = [];
  from(steps as EngineCoreOutputs[])
    .pipe(withSchedulerMetrics(recorded.metrics))
    .subscribe((step) => seen.push(step));
  expect(seen.every((step, i) => step === steps[i]) && seen.length === steps.length).toBe(true);
  const page = await recorded.samples();
  expect(Object.values(page.invalidValues()).reduce((sum, n) => sum + n, 0)).toBe(
    recorded.diagnostics.length,
  );
  return { page, invalid: page.invalidValues() };
}

/** One request from start to end on a still clock, for tables of rules. */
import { Subject } from 'rxjs';
import { expect } from 'vitest';
import {
  type EngineCoreStreamOutput,
  type RequestInfo,
  type ServingMetricsOptions,
  withRequestMetrics,
} from '../../../src/index.js';
import { engineOutput } from '../../../src/testing/index.js';
import { recording } from '../../support/recording.js';
import type { Samples } from '../../support/samples.js';

/** An output of one token with fields of any kind; `timestamp` is the step's. */
export function odd(fields: Readonly<Record<string, unknown>>): EngineCoreStreamOutput {
  const { timestamp = 1, ...rest } = fields;
  const { output, engineIndex } = engineOutput(1);
  return { engineIndex, timestamp: timestamp as number, output: { ...output, ...rest } };
}

/** `odd`, but with no timestamp field at all. */
export function timeless(): EngineCoreStreamOutput {
  const { output, engineIndex } = engineOutput(1);
  return { engineIndex, output } as unknown as EngineCoreStreamOutput;
}

export interface Served {
  readonly page: Samples;
  /** Diagnostics by source. */
  readonly invalid: Record<string, number>;
}

/** Serves outputs, then unsubscribes; 10 s have passed at the first output, 10 more at each next. */
export async function serve(
  outputs: readonly EngineCoreStreamOutput[],
  info: Partial<RequestInfo> = {},
  options: Partial<ServingMetricsOptions> = {},
): Promise<Served> {
  let nowMs = 50_000;
  const recorded = recording({ engines: [0], clock: { now: () => nowMs }, ...options });
  const source = new Subject<EngineCoreStreamOutput>();
  const request = { numPromptTokens: 9, engineIndex: 0, ...info };
  const subscription = source.pipe(withRequestMetrics(recorded.metrics, request)).subscribe();
  for (const output of outputs) {
    nowMs += 10_000;
    source.next(output);
  }
  subscription.unsubscribe();
  const page = await recorded.samples();
  expect(Object.values(page.invalidValues()).reduce((sum, n) => sum + n, 0)).toBe(
    recorded.diagnostics.length,
  );
  return { page, invalid: page.invalidValues() };
}

/** Expected values: a counter's, or a histogram's count and sum. */
export type Expected = Readonly<Record<string, number | readonly [count: number, sum: number]>>;

export function expectSamples(page: Samples, expected: Expected): void {
  const found = Object.entries(expected).map(([name, value]) => [
    name,
    typeof value === 'number' ? page.value(name) : page.histogram(name),
  ]);
  expect(Object.fromEntries(found)).toEqual(expected);
}

/** A failure inside recording cannot reach the stream, even if a handle is broken. */
import { concat, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type EngineCoreStreamOutput,
  type EngineMetrics,
  type ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { engineOutput, schedulerStats } from '../../src/testing/index.js';
import { recording } from '../support/recording.js';

type Handle = Record<string, unknown>;

/** All handles of an engine, those in structs and arrays too, by path. */
function handlesOf(value: unknown, path = ''): [path: string, handle: Handle][] {
  if (typeof value !== 'object' || value === null) return [];
  if ('cells' in value) return [[path, value as Handle]];
  return Object.entries(value).flatMap(([key, inner]) => handlesOf(inner, `${path}.${key}`));
}

const throwing = () => {
  throw new Error('a broken handle');
};

const breaks: Readonly<Record<string, (handle: Handle) => void>> = {
  'has methods that throw': (handle) => {
    for (const method of ['inc', 'observe', 'set']) if (method in handle) handle[method] = throwing;
  },
  'has no cells': (handle) => {
    handle['cells'] = undefined;
  },
  'throws when its cells are read': (handle) => {
    Object.defineProperty(handle, 'cells', { get: throwing });
  },
  'is frozen': (handle) => {
    Object.freeze(handle);
  },
};

const outputs: readonly EngineCoreStreamOutput[] = [
  engineOutput(1, { timestamp: 1, events: [{ type: 'preempted', timestamp: 1 }] }),
  engineOutput(2, { timestamp: 2, numNansInLogits: 1 }),
  engineOutput(1, { timestamp: 3 }),
];
const final = engineOutput(1, { timestamp: 4, finishReason: 'stop' });
const boom = new Error('of the source');

/** Breaks one handle for good, and serves requests that end in every way, and a step. */
function serve(metrics: ServingMetrics): unknown[] {
  const seen: unknown[] = [];
  const consumer = {
    next: (value: unknown) => seen.push(value),
    error: (error: unknown) => seen.push(error),
    complete: () => seen.push('complete'),
  };
  const operator = withRequestMetrics<EngineCoreStreamOutput>(metrics, {
    numPromptTokens: 1,
    engineIndex: 0,
    maxTokens: 4,
  });
  of(...outputs, final)
    .pipe(operator)
    .subscribe(consumer);
  of(...outputs)
    .pipe(operator)
    .subscribe(consumer);
  concat(
    of(...outputs),
    throwError(() => boom),
  )
    .pipe(operator)
    .subscribe(consumer);
  of(...outputs)
    .pipe(operator)
    .subscribe(consumer)
    .unsubscribe();
  const batch = { engineIndex: 0, timestamp: 1, outputs: [final.output], schedulerStats: schedulerStats() };
  of(batch).pipe(withSchedulerMetrics(metrics)).subscribe(consumer);
  return [...seen.slice(0, -2), seen.at(-2) === batch, seen.at(-1)];
}

const expected = [
  ...outputs,
  final,
  'complete',
  ...outputs,
  'complete',
  ...outputs,
  boom,
  ...outputs,
  'complete',
  true,
  'complete',
];

const paths = handlesOf(recording({ engines: [0] }).metrics.forEngine(0)).map(([path]) => path);

it('knows the handles of an engine', () => {
  expect(paths.length).toBeGreaterThan(40);
  expect(paths).toEqual(
    expect.arrayContaining(['.requestSuccess.stop', '.requestsInFlight', '.interTokenLatencySeconds']),
  );
});

describe.each(Object.entries(breaks))('a handle that %s', (_name, breakIt) => {
  it.each(paths)('reaches no stream: %s', (path) => {
    const { metrics } = recording({ engines: [0] });
    const engine: EngineMetrics = metrics.forEngine(0);
    breakIt(handlesOf(engine).find(([each]) => each === path)![1]);
    expect(serve(metrics)).toEqual(expected);
  });
});

it('keeps the in-flight count and the finish reason when a histogram is broken', async () => {
  const { metrics, samples, diagnostics } = recording({ engines: [0] });
  Object.defineProperty(metrics.forEngine(0).interTokenLatencySeconds, 'cells', { get: throwing });
  serve(metrics);
  const page = await samples();
  expect(page.success()).toEqual({ stop: 1, abort: 2, error: 1 });
  expect([page.inFlight(), metrics.inFlight]).toEqual([0, 0]);
  expect(diagnostics.every(({ source }) => source === 'recording')).toBe(true);
  expect(diagnostics.length).toBeGreaterThan(0);
});

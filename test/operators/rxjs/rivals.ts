/**
 * The operator and the plain `defer` + `tap` that anyone would write, each under a log of all that a user can see:
 * what differs between the two logs is a difference from RxJS's own operators.
 */
import { config, defer, type MonoTypeOperatorFunction, map, tap } from 'rxjs';
import { vi } from 'vitest';
import { type EngineCoreStreamOutput, withRequestMetrics } from '../../../src/index.js';
import { recording } from '../../support/recording.js';

export type Operator = MonoTypeOperatorFunction<EngineCoreStreamOutput>;

/** What happened, in order; `hook` runs while a request's end is being recorded. */
export interface Stage {
  readonly log: string[];
  hook: (() => void) | undefined;
}

/** A way to use an operator; it may throw. */
export type Scenario = (operator: Operator, stage: Stage) => void;

/** What it is called, and the records it makes. */
export type ScenarioRow = readonly [name: string, scenario: Scenario, reasons: readonly string[]];

export interface Outcome {
  readonly log: readonly string[];
  readonly reasons: readonly string[];
}

type Ended = (reason: string) => void;

function plain(ended: Ended): Operator {
  return (source) =>
    defer(() => {
      let settled = false;
      const settle = (reason: string) => {
        if (settled) return;
        settled = true;
        ended(reason);
      };
      return source.pipe(
        tap({
          next: ({ output }) => output.finishReason && settle(output.finishReason),
          error: () => settle('error'),
          complete: () => settle('abort'),
          unsubscribe: () => settle('abort'),
        }),
      );
    });
}

function ours(ended: Ended): Operator {
  const { metrics } = recording();
  metrics.finishedRequests.subscribe(({ finishReason }) => ended(finishReason));
  return withRequestMetrics(metrics, { numPromptTokens: 1, engineIndex: 0 });
}

/** An error and all it carries, in one line; in which order several teardowns throw is nobody's to rely on. */
export function spelled(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const inner =
    'errors' in error ? ` of [${(error.errors as unknown[]).map(spelled).sort().join('; ')}]` : '';
  return `${error.name}${inner === '' ? ` ${error.message}` : inner}`;
}

function watched(stage: Stage, body: () => void): void {
  const { onUnhandledError, onStoppedNotification } = config;
  config.onUnhandledError = (error) => stage.log.push(`unhandled ${spelled(error)}`);
  config.onStoppedNotification = ({ kind }) => stage.log.push(`stopped ${kind}`);
  vi.useFakeTimers();
  try {
    body();
  } catch (error) {
    stage.log.push(`thrown ${spelled(error)}`);
  } finally {
    vi.runAllTimers(); // RxJS reports both on a new call stack
    vi.useRealTimers();
    Object.assign(config, { onUnhandledError, onStoppedNotification });
  }
}

function play(scenario: Scenario, make: (ended: Ended) => Operator): Outcome {
  const stage: Stage = { log: [], hook: undefined };
  const reasons: string[] = [];
  const operator = make((reason) => {
    reasons.push(reason);
    stage.hook?.();
  });
  watched(stage, () => scenario(operator, stage));
  return { log: stage.log, reasons };
}

/** The scenario with each of the two, and with an operator of RxJS that does nothing. */
export function playBoth(scenario: Scenario): Readonly<Record<'ours' | 'plain' | 'mapped', Outcome>> {
  return {
    ours: play(scenario, ours),
    plain: play(scenario, plain),
    mapped: play(scenario, () => map((value) => value)),
  };
}

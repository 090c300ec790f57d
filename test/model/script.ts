/** Random scripts of many requests on many engines. All times are 64ths of a second, so that sums are exact. */
import fc, { type Arbitrary } from 'fast-check';
import type { EngineCoreEvent, EngineCoreOutput, PrefillStats, SchedulerStats } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { seconds, stats } from './script-stats.js';

export const ENGINES = 3;
export const REQUESTS = 6;

export interface RequestScript {
  readonly engineIndex: number;
  readonly numPromptTokens: number | undefined;
  readonly maxTokens: number | null | undefined;
  readonly n: number | undefined;
  /** Before its subscription; a negative one is a time in the future. */
  readonly arrivedBefore: number | undefined;
  /** A child of a parent of two. */
  readonly isChild: boolean;
  readonly loraName: string | undefined;
}

export interface OutputScript {
  readonly request: number;
  readonly numTokens: number;
  readonly events: EngineCoreEvent[] | undefined;
  readonly prefillStats: PrefillStats | undefined;
  readonly finishReason: string | undefined;
  readonly numNansInLogits: number;
}

export type Step = { readonly elapsed: number } & (
  | { readonly kind: 'open' | 'cancel' | 'fail' | 'stop'; readonly request: number }
  | {
      readonly kind: 'late';
      readonly engine: number;
      readonly time: number | undefined;
      readonly output: OutputScript;
    }
  | {
      readonly kind: 'batch';
      readonly engine: number;
      /** Every output comes from this engine, also those of other engines' requests. */
      readonly mixed: boolean;
      readonly time: number | undefined;
      readonly outputs: OutputScript[];
      readonly stats: SchedulerStats | undefined;
    }
);

export interface Script {
  readonly omit: boolean;
  readonly requests: readonly RequestScript[];
  readonly steps: readonly Step[];
}

const maybe = <T>(value: Arbitrary<T>): Arbitrary<T | undefined> => fc.option(value, { nil: undefined });
const request = fc.nat({ max: REQUESTS - 1 });
const engine = fc.nat({ max: ENGINES - 1 });
const tokens = fc.oneof(fc.nat({ max: 20 }), fc.constantFrom(1000, 131_072, 200_000));

const event = fc.record({
  type: fc.constantFrom('queued' as const, 'scheduled' as const, 'preempted' as const),
  timestamp: seconds,
});

const prefill: Arbitrary<PrefillStats> = fc
  .tuple(tokens, tokens, tokens, fc.constantFrom(0, 0, 0, 1))
  .map(([computed, local, external, off]) => ({
    numPromptTokens: computed + local + external + off,
    numComputedTokens: computed,
    numCachedTokens: local + external,
    numLocalCachedTokens: local,
    numExternalCachedTokens: external,
  }));

const output: Arbitrary<OutputScript> = fc.record({
  request,
  numTokens: fc.constantFrom(0, 1, 1, 1, 2, 5),
  events: maybe(fc.array(event, { maxLength: 3 })),
  prefillStats: fc.option(prefill, { freq: 3, nil: undefined }),
  finishReason: fc.option(
    fc.constantFrom('stop', 'length', 'abort', 'error', 'repetition', 'unheard of', 'toString'),
    { freq: 6, nil: undefined },
  ),
  numNansInLogits: fc.constantFrom(0, 0, 0, 2),
});

const elapsed = fc.nat({ max: 64 }).map((n) => (n * 1000) / 64);
const time = fc.option(seconds, { freq: 8, nil: undefined });
const outputs = fc.array(output, { maxLength: 5 });
const step: Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('batch' as const),
      elapsed,
      engine,
      mixed: fc.constantFrom(false, false, false, true),
      time,
      outputs,
      stats: maybe(stats),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('open' as const, 'cancel' as const, 'fail' as const, 'stop' as const),
      elapsed,
      request,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('late' as const), engine, elapsed, time, output }) },
);

export const script: Arbitrary<Script> = fc.record({
  omit: fc.boolean(),
  requests: fc.array(
    fc.record({
      engineIndex: engine,
      numPromptTokens: fc.option(tokens, { freq: 4, nil: undefined }),
      maxTokens: fc.option(tokens, { nil: null }),
      n: maybe(fc.integer({ min: 1, max: 30 })),
      arrivedBefore: maybe(fc.integer({ min: -64, max: 6400 }).map((n) => (n * 1000) / 64)),
      isChild: fc.constantFrom(false, false, true),
      loraName: fc.constantFrom(undefined, 'a', 'b,c'),
    }),
    { minLength: REQUESTS, maxLength: REQUESTS },
  ),
  steps: fc.array(step, { minLength: 1, maxLength: 30, size: 'max' }),
});

/** As the engine sends it. */
export function outputOf({ request, numTokens, finishReason, ...rest }: OutputScript): EngineCoreOutput {
  return {
    ...engineOutput(numTokens).output,
    requestId: String(request),
    ...rest,
    finishReason: finishReason as 'stop',
  };
}

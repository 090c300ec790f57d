/** Types a user relies on; `npm run check` is what fails here. */
import { Registry } from 'prom-client';
import { type MonoTypeOperatorFunction, type Observable, of, Subject } from 'rxjs';
import { describe, expectTypeOf, it } from 'vitest';
import {
  type CounterHandle,
  type DiagnosticSource,
  type EngineCoreOutputStream,
  type EngineCoreOutputs,
  type EngineCoreStreamOutput,
  type EngineMetrics,
  type FinishedRequestStats,
  type FinishReason,
  type GaugeHandle,
  type HistogramHandle,
  type MetricsDiagnostic,
  type OpenOptions,
  OutputRouter,
  type ParallelSampling,
  type RequestInfo,
  type SchedulerStats,
  ServingMetrics,
  type ServingMetricsOptions,
  type StatsLogOptions,
  tagEngine,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../src/index.js';
import type {
  KVConnectorOptions,
  PerfModelOptions,
  SimulatedRequest,
  SimulatorOptions,
  SpecDecodingOptions,
  StepTimeOptions,
} from '../src/simulator/index.js';
import { type EngineOutputOptions, engineOutput } from '../src/testing/index.js';

interface Detokenised extends EngineCoreStreamOutput {
  readonly text: string;
}
interface Traced extends EngineCoreOutputs {
  readonly traceId: string;
}

/** An options type as a caller has it who writes `undefined` for each option that may be absent. */
type Spelled<Options> = {
  [Key in keyof Options]: object extends Pick<Options, Key> ? Options[Key] | undefined : Options[Key];
};

const registry = new Registry();
const metrics = new ServingMetrics({ registry, modelName: 'm' });
const detokenised: Observable<Detokenised> = of({ ...engineOutput(1), text: 'a' });

describe('the operators', () => {
  it('keep the type of a value through withRequestMetrics', () => {
    const stream = detokenised.pipe(withRequestMetrics(metrics, { numPromptTokens: 1, engineIndex: 0 }));
    expectTypeOf(stream).toEqualTypeOf<Observable<Detokenised>>();
  });

  it('keep the type of a batch through withSchedulerMetrics', () => {
    expectTypeOf(new Subject<Traced>().pipe(withSchedulerMetrics(metrics))).toEqualTypeOf<
      Observable<Traced>
    >();
  });

  it('are operators of one type of value', () => {
    const operator = withRequestMetrics<Detokenised>(metrics, { numPromptTokens: 1 });
    expectTypeOf(operator).toEqualTypeOf<MonoTypeOperatorFunction<Detokenised>>();
    expectTypeOf(withSchedulerMetrics<Traced>(metrics)).toEqualTypeOf<MonoTypeOperatorFunction<Traced>>();
  });

  it('take no stream of anything else', () => {
    // @ts-expect-error a number is no output
    of(1).pipe(withRequestMetrics(metrics, { numPromptTokens: 1, engineIndex: 0 }));
    // @ts-expect-error neither is it a batch
    of(1).pipe(withSchedulerMetrics(metrics));
  });
});

describe('streams', () => {
  it('keep their tag and their value where they are tagged', () => {
    const stream = tagEngine<Detokenised>(3, 'id')(detokenised);
    expectTypeOf(stream).toEqualTypeOf<EngineCoreOutputStream<Detokenised>>();
    expectTypeOf(stream.engineIndex).toEqualTypeOf<number>();
    expectTypeOf(stream.requestId).toEqualTypeOf<string | undefined>();
  });

  it('keep their value where they are tagged in a pipe', () => {
    const recorded = detokenised.pipe(tagEngine(3), withRequestMetrics(metrics, { numPromptTokens: 1 }));
    expectTypeOf(recorded).toEqualTypeOf<Observable<Detokenised>>();
  });

  it('come tagged from the router', () => {
    expectTypeOf(new OutputRouter().open).returns.toEqualTypeOf<EngineCoreOutputStream>();
  });
});

describe('options', () => {
  it('of ServingMetrics are exact', () => {
    type Keys =
      | 'registry'
      | 'modelName'
      | 'engines'
      | 'maxModelLen'
      | 'buckets'
      | 'prefix'
      | 'maxLora'
      | 'numSpecTokens'
      | 'clock'
      | 'unknownIntervals'
      | 'profile'
      | 'engineNames'
      | 'onDiagnostic';
    expectTypeOf<keyof ServingMetricsOptions>().toEqualTypeOf<Keys>();
    // @ts-expect-error a misspelt option
    const misspelt: ServingMetricsOptions = { registry, modelName: 'm', engine: [0] };
    expectTypeOf(misspelt).toEqualTypeOf<ServingMetricsOptions>();
  });

  it('of a request are exact', () => {
    type Numbers = 'numPromptTokens' | 'engineIndex' | 'arrivalTimeMs' | 'maxTokens' | 'n';
    type Others = 'requestId' | 'loraName' | 'parent' | 'unsubscribeReason';
    expectTypeOf<keyof RequestInfo>().toEqualTypeOf<Numbers | Others>();
    expectTypeOf<RequestInfo['maxTokens']>().toEqualTypeOf<number | null | undefined>();
    expectTypeOf<NonNullable<RequestInfo['unsubscribeReason']>>().returns.toEqualTypeOf<FinishReason>();
    expectTypeOf(metrics.parallelSampling).returns.toEqualTypeOf<ParallelSampling>();
  });

  it('take undefined wherever they may be left out, also with exact optional properties', () => {
    expectTypeOf<Spelled<ServingMetricsOptions>>().toExtend<ServingMetricsOptions>();
    expectTypeOf<Spelled<Required<ServingMetricsOptions>['buckets']>>().toExtend<
      ServingMetricsOptions['buckets']
    >();
    expectTypeOf<Spelled<RequestInfo>>().toExtend<RequestInfo>();
    expectTypeOf<Spelled<OpenOptions>>().toExtend<OpenOptions>();
    expectTypeOf<Spelled<StatsLogOptions>>().toExtend<StatsLogOptions>();
    expectTypeOf<Spelled<EngineOutputOptions>>().toExtend<EngineOutputOptions>();
    expectTypeOf<Spelled<SchedulerStats>>().toExtend<SchedulerStats>();
    expectTypeOf<Spelled<SimulatorOptions>>().toExtend<SimulatorOptions>();
    expectTypeOf<Spelled<SimulatedRequest>>().toExtend<SimulatedRequest>();
    expectTypeOf<Spelled<KVConnectorOptions>>().toExtend<KVConnectorOptions>();
    expectTypeOf<Spelled<PerfModelOptions>>().toExtend<PerfModelOptions>();
    expectTypeOf<Spelled<SpecDecodingOptions>>().toExtend<SpecDecodingOptions>();
    expectTypeOf<Spelled<StepTimeOptions>>().toExtend<StepTimeOptions>();
    expectTypeOf<Spelled<{ readonly exact?: number }>>().not.toExtend<{ readonly exact?: number }>();
  });

  it('name sources of diagnostics by literals', () => {
    expectTypeOf<MetricsDiagnostic['source']>().toEqualTypeOf<DiagnosticSource>();
    expectTypeOf<string>().not.toExtend<DiagnosticSource>();
    expectTypeOf<'prefixCacheStats.hits' | 'interTokenLatencySeconds'>().toExtend<DiagnosticSource>();
  });
});

describe('the struct of handles', () => {
  it('has handles by the type of their family', () => {
    expectTypeOf<EngineMetrics['generationTokens']>().toEqualTypeOf<CounterHandle>();
    expectTypeOf<EngineMetrics['kvCacheUsagePerc']>().toEqualTypeOf<GaugeHandle>();
    expectTypeOf<EngineMetrics['timeToFirstTokenSeconds']>().toEqualTypeOf<HistogramHandle>();
    expectTypeOf<EngineMetrics['requestSuccess']>().toEqualTypeOf<
      Readonly<Record<FinishReason, CounterHandle>>
    >();
    expectTypeOf<EngineMetrics['requestsInFlight']>().toEqualTypeOf<GaugeHandle>();
  });

  it('records by method', () => {
    expectTypeOf<CounterHandle['inc']>().parameters.toEqualTypeOf<[n?: number | undefined]>();
    expectTypeOf<GaugeHandle['set']>().parameters.toEqualTypeOf<[value: number]>();
    expectTypeOf<HistogramHandle['observe']>().parameters.toEqualTypeOf<[value: number]>();
  });
});

describe('the doors', () => {
  it('are the only way in: a handle shows its methods and values, and no storage', () => {
    expectTypeOf<keyof CounterHandle>().toEqualTypeOf<'inc' | 'value'>();
    expectTypeOf<keyof GaugeHandle>().toEqualTypeOf<'set' | 'value'>();
    expectTypeOf<keyof HistogramHandle>().toEqualTypeOf<'observe' | 'count' | 'sum'>();
    const notOurs = ({ generationTokens }: EngineMetrics): void => {
      // @ts-expect-error a counter's cells are its own
      generationTokens.cells[0] = 1e9;
      // @ts-expect-error so is the unchecked way in
      generationTokens.add(-1);
      // @ts-expect-error and nobody takes a handle from its series
      generationTokens.detach();
      // @ts-expect-error a total is read, not written
      generationTokens.value = 1;
    };
    expectTypeOf(notOurs).returns.toEqualTypeOf<void>();
  });

  it('leave the list of draft positions to the engine', () => {
    expectTypeOf<EngineMetrics['specDecodeNumAcceptedTokensPerPos']>().toEqualTypeOf<
      readonly CounterHandle[]
    >();
  });
});

describe('ended requests', () => {
  it('come as an Observable, with optional fields where a request has none', () => {
    expectTypeOf(metrics.finishedRequests).toEqualTypeOf<Observable<FinishedRequestStats>>();
    expectTypeOf<FinishedRequestStats['e2eLatency']>().toEqualTypeOf<number>();
    expectTypeOf<FinishedRequestStats['timeToFirstToken']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<FinishedRequestStats['requestId']>().toEqualTypeOf<string | undefined>();
  });
});

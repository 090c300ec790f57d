/** Names of `Object.prototype` in every place that takes a name: nothing is looked up there, nothing is changed. */
import { of } from 'rxjs';
import { expect, it } from 'vitest';
import {
  type EngineCoreOutputs,
  type EngineCoreStreamOutput,
  OutputRouter,
  type RequestInfo,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { recording } from '../support/recording.js';
import { odd } from './rules/serve.js';

const names = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  '__defineGetter__',
];

/** An object with `name` as a key of its own, as a decoder makes it. */
const own = (name: string, value: unknown) =>
  JSON.parse(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`) as Record<string, unknown>;

it.each(names)('is touched by no use of %s as a name', async (name) => {
  const before = [Object.prototype, Array.prototype, Function.prototype].map((proto) =>
    JSON.stringify(Object.getOwnPropertyDescriptors(proto)),
  );
  const recorded = recording({ modelName: name, engines: [0] });
  const { metrics } = recorded;
  const record = [{ durationSeconds: 1, status: name }];
  const schedulerStats = {
    connectorPrefixCacheStats: { hitsBySource: own(name, 5) as Record<string, number> },
    kvConnectorStats: own(name, record),
  };
  const step: EngineCoreOutputs = { engineIndex: 0, timestamp: 1, outputs: [], schedulerStats };
  of(step).pipe(withSchedulerMetrics(metrics)).subscribe();
  const info = {
    ...own(name, 1),
    numPromptTokens: 1,
    engineIndex: 0,
    requestId: name,
    loraName: name,
  } as unknown as RequestInfo;
  const outputs: EngineCoreStreamOutput[] = [
    odd({ events: [{ type: name, timestamp: 1 }] }),
    odd({ finishReason: name, prefillStats: own(name, 1) }),
  ];
  of(...outputs)
    .pipe(withRequestMetrics(metrics, info))
    .subscribe();
  new OutputRouter().open(name, 0).subscribe().unsubscribe();
  metrics.setSleepState(0, name as 'awake');
  metrics.setCacheConfig(0, own(name, own(name, 1)));
  metrics.recordMultiModalCache(0, own(name, 1) as never);
  const samples = await recorded.samples();
  expect(
    samples.all.get(`vllm:request_success_total{engine="0",finished_reason="error",model_name="${name}"}`),
  ).toBe(1);
  expect([...samples.all].filter(([, value]) => typeof value !== 'number')).toEqual([]);
  expect(recorded.diagnostics.map(({ source }) => source)).toEqual(
    expect.arrayContaining(['type', 'finishReason', 'sleepState']),
  );
  const after = [Object.prototype, Array.prototype, Function.prototype].map((proto) =>
    JSON.stringify(Object.getOwnPropertyDescriptors(proto)),
  );
  expect(after).toEqual(before);
  expect(({} as Record<string, unknown>)['durationSeconds']).toBeUndefined();
});

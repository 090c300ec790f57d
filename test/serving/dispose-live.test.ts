import { Registry } from 'prom-client';
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type EngineCoreStreamOutput,
  ServingMetrics,
  statsLog,
  withRequestMetrics,
} from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { Rig } from '../support/rig.js';
import { names } from './busy.js';

const IN_FLIGHT = 'rx_engine_metrics_requests_in_flight';

const LORA = 'vllm:lora_requests_info';

describe('dispose while requests are live', () => {
  it('takes its own share off the in-flight gauge, once', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const live = [rig.request(), rig.request()];
    const other = second.request();
    expect(await second.value(IN_FLIGHT)).toBe(3);
    rig.metrics.dispose();
    expect([rig.metrics.inFlight, second.metrics.inFlight]).toEqual([0, 1]);
    expect(await second.value(IN_FLIGHT)).toBe(1);
    live[0]!.finish();
    live[1]!.abort();
    expect(await second.value(IN_FLIGHT)).toBe(1);
    other.finish();
    expect(await second.value(IN_FLIGHT)).toBe(0);
  });

  it('lets their streams go on unchanged, and records nothing of them', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const live = rig.request().output(1);
    const before = await second.samples();
    rig.metrics.dispose();
    live.output(2, { timestamp: 1 }).finish({ timestamp: 2 });
    expect(live.seen).toEqual(['next 1', 'next 2', 'next 1', 'complete']);
    const after = await second.samples();
    expect(after).toEqual(new Map(before).set(`${IN_FLIGHT}{engine="0",model_name="m"}`, 0));
  });

  it('takes them out of the LoRA sets', async () => {
    const rig = new Rig();
    const other = rig.sibling({ modelName: 'other' });
    const live = rig.request({ loraName: 'a' });
    other.request({ loraName: 'b' });
    rig.metrics.dispose();
    const key = '{running_lora_adapters="",waiting_lora_adapters="b"}';
    expect(Object.keys(await other.family(LORA))).toEqual([key]);
    live.output(1, { events: [{ type: 'scheduled', timestamp: 0 }] });
    rig.request({ loraName: 'late' });
    expect(Object.keys(await other.family(LORA))).toEqual([key]);
  });

  it("removes a removed engine's in-flight gauge when its last requests were the disposed instance's", async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    rig.request();
    second.metrics.removeEngine(0);
    expect(await second.value(IN_FLIGHT)).toBe(1);
    rig.metrics.dispose();
    expect(await second.value(IN_FLIGHT)).toBeUndefined();
  });

  it('completes finishedRequests and statsLog, for later subscribers too', () => {
    const rig = new Rig({ engines: [0] });
    const seen: string[] = [];
    const observer = (name: string) => ({ complete: () => seen.push(name) });
    rig.metrics.finishedRequests.subscribe(observer('finished'));
    statsLog(rig.metrics).subscribe(observer('log'));
    expect(seen).toEqual([]);
    rig.metrics.dispose();
    expect(seen.sort()).toEqual(['finished', 'log']);
    rig.metrics.finishedRequests.subscribe(observer('later'));
    expect(seen).toContain('later');
  });

  it('may come from inside a record', async () => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.finishedRequests.subscribe(() => rig.metrics.dispose());
    const live = rig.request();
    live.finish();
    expect(live.seen).toEqual(['next 1', 'complete']);
    expect([names(rig), rig.metrics.inFlight]).toEqual([[], 0]);
  });
});

function disposed(registryOf = new Rig()): Rig {
  const rig = registryOf.sibling();
  rig.metrics.dispose();
  return rig;
}

describe('requests that reach an instance after its end, on an engine it never knew', () => {
  it('leave their stream as it is', () => {
    const rig = disposed();
    const live = rig.request({ engineIndex: 9 }).output(1).output(2, { timestamp: 1 });
    live.finish();
    expect(live.seen).toEqual(['next 1', 'next 2', 'next 1', 'complete']);
    expect([rig.diagnostics, rig.metrics.inFlight]).toEqual([[], 0]);
  });

  it('count for a parent that they share with others', async () => {
    const rig = new Rig();
    const parent = rig.metrics.parallelSampling(2);
    disposed(rig).request({ engineIndex: 9, parent }).output(5).abort();
    rig.request({ parent }).finish();
    expect(await rig.value('vllm:request_params_n_count')).toBe(1);
    expect(await rig.value('vllm:request_max_num_generation_tokens_sum')).toBe(5);
  });
});

it('lets the live requests of a disposed instance move no series that another instance shares', () => {
  const registry = new Registry();
  const options = { registry, modelName: 'm', engines: [0] };
  const old = new ServingMetrics(options);
  const next = new ServingMetrics(options);
  const source = new Subject<EngineCoreStreamOutput>();
  const seen: EngineCoreStreamOutput[] = [];
  source
    .pipe(withRequestMetrics(old, { numPromptTokens: 1, engineIndex: 0 }))
    .subscribe((value) => seen.push(value));
  for (const timestamp of [1, 2]) source.next(engineOutput(1, { timestamp }));
  old.dispose();
  for (const timestamp of [3, 4]) source.next(engineOutput(1, { timestamp }));
  source.next(engineOutput(1, { timestamp: 5, finishReason: 'stop' }));
  const { generationTokens, interTokenLatencySeconds, requestSuccess } = next.forEngine(0);
  expect([generationTokens.value, interTokenLatencySeconds.count, requestSuccess.stop.value]).toEqual([
    2, 1, 0,
  ]);
  expect(seen).toHaveLength(5);
});

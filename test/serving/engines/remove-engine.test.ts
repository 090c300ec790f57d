import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { gauges, IN_FLIGHT, removed, STATE, STATS, shown } from './removed-engine.js';

describe('removeEngine', () => {
  it('takes what the engine is doing off the page, and leaves the others', async () => {
    const rig = removed();
    expect(await shown(rig)).toEqual([]);
    expect(await shown(rig, 1)).toEqual(STATE.filter((name) => !name.includes('cache_config')));
  });

  it('keeps counters and histograms, which go on after it comes back', async () => {
    const rig = removed();
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="stop"')).toBe(1);
    expect(await rig.value('vllm:e2e_request_latency_seconds_count')).toBe(1);
    rig.request().finish();
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="stop"')).toBe(2);
  });

  it('takes the in-flight gauge off the page at once if it is 0', async () => {
    expect(await removed().value(IN_FLIGHT)).toBeUndefined();
    expect(await removed().value(IN_FLIGHT, 1)).toBe(0);
  });

  it('keeps the in-flight gauge until the last live request has ended', async () => {
    const rig = new Rig({ engines: [0] });
    const [first, second] = [rig.request(), rig.request()];
    rig.metrics.removeEngine(0);
    expect(await rig.value(IN_FLIGHT)).toBe(2);
    first.abort();
    expect(await rig.value(IN_FLIGHT)).toBe(1);
    second.finish();
    expect(await rig.value(IN_FLIGHT)).toBeUndefined();
    expect([await shown(rig), rig.metrics.inFlight]).toEqual([[], 0]);
  });

  it('holds for all instances of the model on the registry, their live requests too', async () => {
    const rig = new Rig({ engines: [0] });
    const second = rig.sibling({ engines: [0] });
    const live = second.request();
    second.stats(STATS);
    rig.metrics.removeEngine(0);
    expect([await shown(rig), await rig.value(IN_FLIGHT)]).toEqual([[], 1]);
    live.finish();
    expect(await rig.value(IN_FLIGHT)).toBeUndefined();
    second.metrics.forEngine(0);
    second.stats(STATS);
    expect(await gauges(rig)).toEqual([3, 3, 2, 1, 0.5, 1]);
  });

  it("leaves another model's engine of that index alone", async () => {
    const rig = new Rig({ engines: [0] });
    const other = rig.sibling({ modelName: 'other', engines: [0] });
    other.stats(STATS);
    rig.metrics.removeEngine(0);
    const samples = await rig.samples();
    expect(samples.get('vllm:num_requests_running{engine="0",model_name="other"}')).toBe(3);
    expect(samples.get('vllm:num_requests_running{engine="0",model_name="m"}')).toBeUndefined();
  });

  it.each([7, -1, Number.NaN, '0', undefined])(
    'does nothing for an engine that is not there: %s',
    async (index) => {
      const rig = new Rig({ engines: [0] });
      const before = await rig.samples();
      const remove = () => rig.metrics.removeEngine(index as number);
      if (typeof index === 'number') remove();
      else expect(remove).toThrow(TypeError);
      expect(await rig.samples()).toEqual(before);
    },
  );

  it('leaves no time of a step that was still under way, the first of the engine', async () => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.removeEngine(0);
    rig.stats(STATS);
    expect(await rig.value('rx_engine_metrics_engine_last_step_timestamp_seconds')).toBeUndefined();
    rig.metrics.forEngine(0);
    rig.stats(STATS);
    expect(await rig.value('rx_engine_metrics_engine_last_step_timestamp_seconds')).toBeGreaterThan(0);
  });

  it('hides nothing from the same model under another prefix once its own is gone', async () => {
    const rig = new Rig({ engines: [0] });
    const other = rig.sibling({ prefix: 'other:', engines: [0] });
    rig.metrics.removeEngine(0);
    expect(await other.value(IN_FLIGHT)).toBe(0);
    rig.metrics.dispose();
    expect(await other.value(IN_FLIGHT)).toBe(0);
    const live = other.request();
    live.finish();
    other.metrics.removeEngine(0);
    expect(await other.value(IN_FLIGHT)).toBeUndefined();
  });

  it('may be called twice', async () => {
    const rig = removed();
    rig.metrics.removeEngine(0);
    expect(await shown(rig)).toEqual([]);
  });
});

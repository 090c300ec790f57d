import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_LIVE_ADAPTERS } from '../../../../src/serving/engines/lora.js';
import { Rig } from '../../../support/rig.js';
import { adapters, event, LORA } from './lora-rig.js';

describe('lora_requests_info', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: 1_760_000_000_500 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('is one series over all models and engines, without labels of either', async () => {
    const rig = new Rig();
    const other = rig.sibling({ modelName: 'other' });
    rig.request({ loraName: 'b', engineIndex: 3 });
    other.request({ loraName: 'a' });
    event(other.request({ loraName: 'c' }), 'scheduled');
    expect(await rig.family(LORA)).toEqual({
      '{running_lora_adapters="c",waiting_lora_adapters="a,b"}': 1_760_000_000.5,
    });
  });

  it('takes the value from the wall clock, whatever the clock of the metrics', async () => {
    const rig = new Rig({ clock: { now: () => Number.NaN } });
    rig.request({ loraName: 'a' });
    vi.setSystemTime(1_760_000_001_250);
    expect(Object.values(await rig.family(LORA))).toEqual([1_760_000_001.25]);
  });

  it('encodes commas and percent signs, and sorts after that', async () => {
    const rig = new Rig();
    for (const loraName of ['b', 'a,c', 'a%', 'a', 'a+', 'a-z']) rig.request({ loraName });
    expect(await adapters(rig)).toEqual(['a,a%25,a%2Cc,a+,a-z,b', '']);
  });

  it('lists names once that only differ in what cannot be written', async () => {
    const rig = new Rig();
    for (const loraName of ['x\ud800', 'x\ufffd', 'x\udc00']) rig.request({ loraName });
    expect(await adapters(rig)).toEqual(['x\ufffd', '']);
  });

  it('has the max_lora label of its options, one series per figure', async () => {
    const rig = new Rig({ maxLora: 4 });
    const same = rig.sibling({ modelName: 'same', maxLora: 4 });
    const other = rig.sibling({ modelName: 'other', maxLora: 8 });
    const plain = rig.sibling({ modelName: 'plain' });
    rig.request({ loraName: 'a' });
    same.request({ loraName: 'b' });
    const gone = other.request({ loraName: 'c' });
    event(plain.request({ loraName: 'd' }), 'scheduled');
    const keys = async () => Object.keys(await rig.family(LORA)).sort();
    const four = '{max_lora="4",running_lora_adapters="",waiting_lora_adapters="a,b"}';
    const none = '{running_lora_adapters="d",waiting_lora_adapters=""}';
    const eight = '{max_lora="8",running_lora_adapters="",waiting_lora_adapters="c"}';
    expect(await keys()).toEqual([four, eight, none]);
    gone.finish();
    const idle = '{max_lora="8",running_lora_adapters="",waiting_lora_adapters=""}';
    expect(await keys()).toEqual([four, idle, none]);
  });

  it('is not there for requests without an adapter', async () => {
    const rig = new Rig({ engines: [0] });
    event(rig.request(), 'scheduled');
    expect(await adapters(rig)).toBeUndefined();
  });

  it('stands with empty lists while it is idle, given max_lora: routers look for it', async () => {
    const rig = new Rig({ engines: [0], maxLora: 4 });
    expect(await adapters(rig)).toEqual(['', '']);
    rig.request({ loraName: 'a' }).finish();
    expect(await adapters(rig)).toEqual(['', '']);
    rig.metrics.dispose();
    expect(await adapters(rig)).toBeUndefined();
  });

  it.each(['', 5, {}, true])('takes a bad name as none, with a diagnostic: %s', async (loraName) => {
    const rig = new Rig();
    rig.request({ loraName: loraName as string });
    expect([await adapters(rig), rig.sources()]).toEqual([undefined, ['loraName']]);
  });

  it.each(['__proto__', 'constructor', 'toString'])(
    'takes a name of an inherited property: %s',
    async (loraName) => {
      const rig = new Rig();
      const live = event(rig.request({ loraName }), 'scheduled');
      expect(await adapters(rig)).toEqual(['', loraName]);
      live.finish();
      expect(await adapters(rig)).toBeUndefined();
    },
  );

  it('counts a flood of names under other, and is empty after it', async () => {
    const rig = new Rig();
    const live = Array.from({ length: MAX_LIVE_ADAPTERS + 20 }, (_, i) => rig.request({ loraName: `n${i}` }));
    for (const request of live) event(request, 'scheduled');
    const [, running] = (await adapters(rig))!;
    expect(running.split(',')).toHaveLength(MAX_LIVE_ADAPTERS + 1);
    expect(running.split(',')).toContain('other');
    expect(rig.sources().filter((source) => source === 'loraName')).toHaveLength(20);
    for (const request of live) request.finish();
    expect(await adapters(rig)).toBeUndefined();
    rig.request({ loraName: 'after the flood' });
    expect(await adapters(rig)).toEqual(['after the flood', '']);
  });
});

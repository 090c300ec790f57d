import { describe, expect, it } from 'vitest';
import type { SleepState } from '../../src/index.js';
import { Rig } from './rig.js';

const INFO = 'vllm:cache_config_info';
const SLEEP = 'vllm:engine_sleep_state';

async function sleepStates(rig: Rig, engine = 0): Promise<(number | undefined)[]> {
  const states = ['awake', 'weights_offloaded', 'discard_all'];
  return Promise.all(states.map((state) => rig.value(SLEEP, engine, `sleep_state="${state}"`)));
}

describe('setCacheConfig', () => {
  it('shows the fields as Python prints them, with the engine and without a model', async () => {
    const rig = new Rig();
    rig.metrics.setCacheConfig(2, {
      block_size: 16,
      cache_dtype: 'auto',
      enable_prefix_caching: true,
      is_attention_free: false,
      sliding_window: null,
      gpu_memory_utilization: 0.9,
    });
    expect(await rig.family(INFO)).toEqual({
      '{block_size="16",cache_dtype="auto",enable_prefix_caching="True",engine="2",gpu_memory_utilization="0.9",is_attention_free="False",sliding_window="None"}': 1,
    });
  });

  it.each([
    [0.1, '0.1'],
    [1e-5, '1e-05'],
    [1.5e-7, '1.5e-07'],
    [0.0001, '0.0001'],
    [0.00012, '0.00012'],
    [1234567.5, '1234567.5'],
    [4_294_967_296.25, '4294967296.25'],
    [1e15 + 0.5, '1000000000000000.5'],
    [-0.25, '-0.25'],
    [0, '0'],
    [-3, '-3'],
    [17_179_869_184, '17179869184'],
    [Number.NaN, 'nan'],
    [Infinity, 'inf'],
    [-Infinity, '-inf'],
    [12n, '12'],
    ['', ''],
    ['a"b\\c\nd', 'a\\"b\\\\c\\nd'],
    ['\ud800', '\ufffd'],
  ])('spells %s as %s', async (value, text) => {
    const rig = new Rig();
    rig.metrics.setCacheConfig(0, { field: value });
    expect(await rig.family(INFO)).toEqual({ [`{engine="0",field="${text}"}`]: 1 });
  });

  it('leaves out what is undefined', async () => {
    const rig = new Rig();
    rig.metrics.setCacheConfig(0, { a: undefined, b: 1 });
    expect(await rig.family(INFO)).toEqual({ '{b="1",engine="0"}': 1 });
    expect(rig.diagnostics).toEqual([]);
  });

  it('replaces with each call, per engine', async () => {
    const rig = new Rig();
    rig.metrics.setCacheConfig(0, { a: 1 });
    rig.metrics.setCacheConfig(1, { a: 1 });
    rig.metrics.setCacheConfig(0, { b: 2 });
    expect(await rig.family(INFO)).toEqual({ '{a="1",engine="1"}': 1, '{b="2",engine="0"}': 1 });
  });

  it('shows identical label sets of two models once, whatever the order of their fields', async () => {
    const rig = new Rig();
    const other = rig.sibling({ modelName: 'other' });
    rig.metrics.setCacheConfig(0, { a: 1, b: 2 });
    other.metrics.setCacheConfig(0, { b: 2, a: 1 });
    expect(await rig.family(INFO)).toEqual({ '{a="1",b="2",engine="0"}': 1 });
    other.metrics.dispose();
    expect(await rig.family(INFO)).toEqual({ '{a="1",b="2",engine="0"}': 1 });
  });

  it("leaves with the model's last instance", async () => {
    const rig = new Rig();
    const second = rig.sibling({ engines: [0] });
    rig.metrics.setCacheConfig(0, { a: 1 });
    rig.metrics.dispose();
    expect(await rig.family(INFO)).toEqual({ '{a="1",engine="0"}': 1 });
    second.metrics.dispose();
    const third = rig.sibling({ engines: [0] });
    expect(await third.family(INFO)).toEqual({});
  });

  it.each(['engine', 'le', '__name__', 'a-b', '', '1a', 'ä'])(
    'leaves out a field that is no label: %j',
    async (key) => {
      const rig = new Rig();
      rig.metrics.setCacheConfig(0, { [key]: 1, ok: 2 });
      expect(await rig.family(INFO)).toEqual({ '{engine="0",ok="2"}': 1 });
      expect(rig.diagnostics).toMatchObject([{ source: 'cacheConfig', value: key, engineIndex: 0 }]);
    },
  );

  it.each([null, undefined, 5, 'x'])('ignores %s with a diagnostic', async (fields) => {
    const rig = new Rig();
    expect(() => rig.metrics.setCacheConfig(0, fields as unknown as object as never)).not.toThrow();
    expect([rig.sources(), await rig.family(INFO)]).toEqual([['cacheConfig'], {}]);
  });

  it('never throws on values that cannot be printed', async () => {
    const rig = new Rig();
    const fields = {
      bare: Object.create(null) as object,
      symbol: Symbol('s'),
      get broken(): string {
        throw new Error('getter');
      },
      ok: 1,
    };
    expect(() => rig.metrics.setCacheConfig(0, fields)).not.toThrow();
    expect(Object.keys(await rig.family(INFO))[0]).toMatch(/engine="0",ok="1"/);
  });
});

describe('setSleepState', () => {
  it('has every engine awake from construction', async () => {
    expect(await sleepStates(new Rig({ engines: [0] }))).toEqual([1, 0, 0]);
  });

  it.each([
    ['awake', [1, 0, 0]],
    ['weights_offloaded', [0, 1, 0]],
    ['discard_all', [0, 0, 1]],
  ] as const)('sets exactly one state: %s', async (state, expected) => {
    const rig = new Rig({ engines: [0, 1] });
    rig.metrics.setSleepState(0, 'discard_all');
    rig.metrics.setSleepState(0, state);
    expect([await sleepStates(rig), await sleepStates(rig, 1)]).toEqual([expected, [1, 0, 0]]);
  });

  it('touches no counter, and makes an engine it does not know', async () => {
    const rig = new Rig();
    rig.metrics.forEngine(0).generationTokens.inc(5);
    rig.metrics.setSleepState(0, 'discard_all');
    rig.metrics.setSleepState(4, 'weights_offloaded');
    expect(await rig.value('vllm:generation_tokens_total')).toBe(5);
    expect(await sleepStates(rig, 4)).toEqual([0, 1, 0]);
  });

  it('is not changed by a second instance of the model', async () => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.setSleepState(0, 'discard_all');
    const second = rig.sibling({ engines: [0] });
    second.metrics.forEngine(0);
    expect(await sleepStates(rig)).toEqual([0, 0, 1]);
    second.metrics.setSleepState(0, 'awake');
    expect(await sleepStates(rig)).toEqual([1, 0, 0]);
  });

  it.each(['asleep', '', 0, null, undefined, 'toString'])('ignores %s with a diagnostic', async (state) => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.setSleepState(0, state as SleepState);
    expect(await sleepStates(rig)).toEqual([1, 0, 0]);
    expect(rig.diagnostics).toMatchObject([{ source: 'sleepState', value: state, engineIndex: 0 }]);
  });
});

describe('recordMultiModalCache', () => {
  const counts = (rig: Rig) =>
    Promise.all(['queries', 'hits'].map((name) => rig.value(`vllm:mm_cache_${name}_total`)));

  it('adds to queries and hits', async () => {
    const rig = new Rig();
    rig.metrics.recordMultiModalCache(0, { queries: 5, hits: 2 });
    rig.metrics.recordMultiModalCache(0, { queries: 1, hits: 0 });
    expect(await counts(rig)).toEqual([6, 2]);
  });

  it.each([
    [{ queries: -1, hits: 2 }, [0, 2], ['mmCacheStats.queries']],
    [{ queries: 3, hits: Number.NaN }, [3, 0], ['mmCacheStats.hits']],
    [{ queries: Infinity, hits: '2' }, [0, 0], ['mmCacheStats.queries', 'mmCacheStats.hits']],
    [{ queries: 3 }, [3, 0], []],
    [{ hits: null }, [0, 0], []],
    [{}, [0, 0], []],
    [null, [0, 0], []],
    [undefined, [0, 0], []],
  ])('takes %j', async (stats, expected, sources) => {
    const rig = new Rig();
    expect(() => rig.metrics.recordMultiModalCache(0, stats as never)).not.toThrow();
    expect([await counts(rig), rig.sources()]).toEqual([expected, sources]);
  });
});

describe('the setters', () => {
  it.each([-1, 0.5, Number.NaN, '0', null, undefined, 2 ** 53])(
    'ignore an engine index that none can have: %s',
    async (index) => {
      const rig = new Rig();
      const engine = index as number;
      rig.metrics.setCacheConfig(engine, { a: 1 });
      rig.metrics.setSleepState(engine, 'awake');
      rig.metrics.recordMultiModalCache(engine, { queries: 1, hits: 1 });
      expect(rig.sources()).toEqual(['engineIndex', 'engineIndex', 'engineIndex']);
      const keys = [...(await rig.samples()).keys()];
      expect(keys).toEqual(['rx_engine_metrics_invalid_values_total{model_name="m",source="engineIndex"}']);
    },
  );
});

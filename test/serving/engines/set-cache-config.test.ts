import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

const INFO = 'vllm:cache_config_info';

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

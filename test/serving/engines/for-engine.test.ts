import { describe, expect, it } from 'vitest';
import { CATALOG } from '../../../src/serving/catalog/catalog.js';
import { Rig } from '../../support/rig.js';
import { FIELDS, LABEL_VALUES } from '../catalog/catalogue-fields.js';

describe('forEngine', () => {
  it('gives the same struct each time', () => {
    const { metrics } = new Rig({ engines: [0] });
    expect(metrics.forEngine(0)).toBe(metrics.forEngine(0));
    expect(metrics.forEngine(5)).toBe(metrics.forEngine(5));
    expect(metrics.forEngine(5)).not.toBe(metrics.forEngine(0));
  });

  it.each(['0', null, undefined, 1n, {}])('throws a TypeError on %s', (index) => {
    expect(() => new Rig().metrics.forEngine(index as number)).toThrow(TypeError);
    expect(() => new Rig().metrics.forEngine(index as number)).toThrow(/^engineIndex: expected/);
  });

  it.each([-1, 0.5, Number.NaN, Infinity, 2 ** 53])('throws a RangeError on %d', (index) => {
    expect(() => new Rig().metrics.forEngine(index)).toThrow(RangeError);
  });

  it('makes no series before it, and every fixed one at zero with it', async () => {
    const rig = new Rig();
    const before = [...(await rig.samples()).keys()];
    expect(before.filter((key) => !key.startsWith('vllm:admission_rejections_total{'))).toEqual([]);
    rig.metrics.forEngine(0);
    const late = await rig.samples();
    const early = await new Rig({ engines: [0] }).samples();
    expect([...late]).toEqual([...early]);
    const notZero = [...late].filter(([, value]) => value !== 0);
    expect(notZero).toEqual([['vllm:engine_sleep_state{engine="0",model_name="m",sleep_state="awake"}', 1]]);
  });

  it.each(FIELDS)('makes the series of %s at once', async (key) => {
    const rig = new Rig({ engines: [0] });
    const { name, type, labels = [] } = CATALOG[key];
    const shown = [...(await rig.samples()).keys()].filter((sample) =>
      sample.startsWith(`vllm:${name}${type === 'histogram' ? '_count{' : '{'}`),
    );
    const values = LABEL_VALUES[key] ?? (labels.includes('position') ? [] : ['']);
    const texts = values.map((value) => {
      const all = ['engine="0"', 'model_name="m"', ...(value === '' ? [] : [`${labels[0]}="${value}"`])];
      return `{${all.sort().join(',')}}`;
    });
    expect(shown.map((sample) => sample.slice(sample.indexOf('{'))).sort()).toEqual(texts.sort());
  });

  it('makes NIXL series at once, and those of store operations at their first use', async () => {
    const names = [...(await new Rig({ engines: [0] }).samples()).keys()].join('\n');
    expect(names).toContain('vllm:nixl_xfer_time_seconds_count');
    expect(names).toContain('vllm:nixl_num_kv_expired_reqs_total');
    expect(names).not.toContain('mooncake');
    expect(names).not.toContain('invalid_values');
  });
});

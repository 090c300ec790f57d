import { Gauge, type Registry } from 'prom-client';
import { describe, expect, it, vi } from 'vitest';
import type { MetricDescriptor } from '../../src/metric/descriptor.js';
import { renderMetrics } from '../../src/prom/page/render.js';
import { acquireFamilies, releaseFamilies } from '../../src/prom/register.js';
import { type AnyRegistry, describeFamily, makeRegistry, record, register } from '../support/registries.js';

function namesOn(registry: AnyRegistry): string[] {
  return registry.getMetricsAsArray().map(({ name }) => name);
}

const histogram = describeFamily('histogram', 'vllm:h', ['model_name', 'engine'], [1, 2]);

describe('families on a registry', () => {
  it('are found by whoever wants the same, and keep their counts', () => {
    const registry = makeRegistry();
    const [first] = acquireFamilies(registry, [{ descriptor: histogram }], {});
    const [second] = acquireFamilies(registry, [{ descriptor: { ...histogram, help: 'Other words.' } }], {});
    expect(second).toBe(first);
    expect(namesOn(registry)).toEqual(['vllm:h']);
  });

  it.each<[string, Partial<MetricDescriptor>, string]>([
    ['a type', { type: 'gauge', upperBounds: [] }, 'vllm:h: expected a gauge, got a histogram'],
    ['labels', { labelNames: ['engine'] }, 'vllm:h: expected labels engine, got model_name, engine'],
    ['no labels', { labelNames: [] }, 'vllm:h: expected labels none, got model_name, engine'],
    ['buckets', { upperBounds: [1, 2, 3] }, 'vllm:h: expected buckets 1, 2, 3, got 1, 2'],
  ])('with another one of %s give one error, and nothing is registered', (_, other, message) => {
    const registry = makeRegistry();
    register(registry, histogram);
    const wanted = [describeFamily('gauge', 'vllm:new'), { ...histogram, ...other }];
    expect(() => register(registry, ...wanted)).toThrow(message);
    expect(namesOn(registry)).toEqual(['vllm:h']);
  });

  it('whose name another library has taken give one error, and nothing is registered', () => {
    const registry = makeRegistry();
    new Gauge({ name: 'vllm:h', help: 'h', registers: [registry as Registry] });
    expect(() => register(registry, describeFamily('gauge', 'vllm:new'), histogram)).toThrow(
      'vllm:h: expected a family of rx-engine-metrics, got a metric of another owner',
    );
    expect(namesOn(registry)).toEqual(['vllm:h']);
  });

  it('are all gone again if the registry refuses one', () => {
    const registry = makeRegistry();
    const refuse = vi.spyOn(registry, 'registerMetric');
    refuse.mockImplementationOnce((metric) =>
      Object.getPrototypeOf(registry).registerMetric.call(registry, metric),
    );
    refuse.mockImplementationOnce(() => {
      throw new Error('full');
    });
    expect(() => register(registry, describeFamily('gauge', 'a'), describeFamily('gauge', 'b'))).toThrow(
      'full',
    );
    expect(namesOn(registry)).toEqual([]);
  });

  it('with a bad descriptor throw before anything is registered', () => {
    const registry = makeRegistry();
    expect(() => register(registry, describeFamily('gauge', 'a'), describeFamily('counter', 'b'))).toThrow(
      TypeError,
    );
    expect(namesOn(registry)).toEqual([]);
  });

  it('leave with their last user', () => {
    const registry = makeRegistry();
    const [one, two] = [{}, {}];
    const families = acquireFamilies(registry, [{ descriptor: histogram }], one);
    acquireFamilies(registry, [{ descriptor: histogram }], two);
    releaseFamilies(registry, families, one);
    expect(namesOn(registry)).toEqual(['vllm:h']);
    releaseFamilies(registry, families, two);
    expect(namesOn(registry)).toEqual([]);
    expect(() => register(registry, { ...histogram, upperBounds: [7] })).not.toThrow();
  });

  it('that were cleared away take nothing of another owner with them', () => {
    const registry = makeRegistry();
    const user = {};
    const families = acquireFamilies(registry, [{ descriptor: histogram }], user);
    registry.clear();
    new Gauge({ name: 'vllm:h', help: 'h', registers: [registry as Registry] });
    releaseFamilies(registry, families, user);
    expect(namesOn(registry)).toEqual(['vllm:h']);
  });

  it('stay where a registry cannot remove', () => {
    const registry = makeRegistry();
    const user = {};
    const limited = Object.create(registry, { removeSingleMetric: { value: undefined } });
    const families = acquireFamilies(limited, [{ descriptor: histogram }], user);
    expect(() => releaseFamilies(limited, families, user)).not.toThrow();
  });
});

describe('two loaded copies of the package', () => {
  async function secondCopy(version?: string) {
    vi.resetModules();
    if (version !== undefined) vi.doMock('../../src/prom/version.js', () => ({ VERSION: version }));
    const [registration, rendering] = await Promise.all([
      import('../../src/prom/register.js'),
      import('../../src/prom/page/render.js'),
    ]);
    vi.doUnmock('../../src/prom/version.js');
    expect(registration.acquireFamilies).not.toBe(acquireFamilies);
    return { ...registration, ...rendering };
  }

  it('share the families of a registry', async () => {
    const registry = makeRegistry();
    const [ours] = register(registry, histogram);
    const copy = await secondCopy();
    const [theirs] = copy.acquireFamilies(registry, [{ descriptor: histogram }], {});
    expect(theirs).toBe(ours);
    record(theirs!.family.labels('m', '0'), 1);
    expect([...ours!.family.series('m', '0').cells]).toEqual([1, 0, 0, 1]);
  });

  it('write the same page, also of families that the other one made, whatever their prefix', async () => {
    const registry = makeRegistry();
    const copy = await secondCopy();
    const own = { ...histogram, name: 'my_h' };
    const [shared] = copy.acquireFamilies(registry, [{ descriptor: own }], {});
    record(shared!.family.labels('m "é"', '0'), 1);
    const page = await renderMetrics(registry);
    expect(page).toContain('my_h_bucket{engine="0",le="1.0",model_name="m \\"é\\""} 1.0\n');
    expect(page).toBe(await copy.renderMetrics(registry));
    record(shared!.family.labels('n', '1'), 1);
    expect(await renderMetrics(registry)).toBe(await copy.renderMetrics(registry));
  });

  it('of two versions give one clear error', async () => {
    const registry = makeRegistry();
    const copy = await secondCopy('9.9.9');
    copy.acquireFamilies(registry, [{ descriptor: histogram }], {});
    expect(() => register(registry, histogram)).toThrow(
      /^vllm:h: expected version \S+ of rx-engine-metrics, got version 9\.9\.9$/u,
    );
  });
});

import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { ServingMetrics, type ServingMetricsOptions } from '../../../src/index.js';
import { defaultBuckets } from '../../../src/serving/catalog/default-buckets.js';

/** Options as a JavaScript caller may write them. */
type Loose = Record<string, unknown>;

const registry = new Registry();

const build = (over: Loose) =>
  new ServingMetrics({ registry, modelName: 'm', ...over } as unknown as ServingMetricsOptions);

const unprintable = Object.create(null) as object;

const names = Object.keys(defaultBuckets(undefined));

const BAD: readonly (readonly [
  option: string,
  value: unknown,
  type: typeof TypeError | typeof RangeError,
])[] = [
  ['modelName', undefined, TypeError],
  ['modelName', null, TypeError],
  ['modelName', '', TypeError],
  ['modelName', 7, TypeError],
  ['modelName', unprintable, TypeError],
  ['registry', undefined, TypeError],
  ['registry', null, TypeError],
  ['registry', 'registry', TypeError],
  ['registry', {}, TypeError],
  ['registry', { registerMetric() {}, getSingleMetric() {}, contentType: 'text/plain' }, TypeError],
  ['registry', { registerMetric() {}, getSingleMetric() {}, getMetricsAsJSON() {} }, TypeError],
  ['engines', null, TypeError],
  ['engines', 2, TypeError],
  ['engines', '01', TypeError],
  ['engines', new Set([0]), TypeError],
  ['engines', [0, '1'], TypeError],
  ['engines', [undefined], TypeError],
  ['engines', [1n], TypeError],
  ['engines', [0, -1], RangeError],
  ['engines', [0.5], RangeError],
  ['engines', [Number.NaN], RangeError],
  ['engines', [Infinity], RangeError],
  ['engines', [2 ** 53], RangeError],
  ['maxModelLen', '8192', TypeError],
  ['maxModelLen', null, TypeError],
  ['maxModelLen', 0, RangeError],
  ['maxModelLen', -1, RangeError],
  ['maxModelLen', 1.5, RangeError],
  ['maxModelLen', Infinity, RangeError],
  ['buckets', null, TypeError],
  ['buckets', [1, 2], TypeError],
  ['buckets', 'x', TypeError],
  ['buckets', { requestLatenzy: [1] }, TypeError],
  ...names.flatMap((family): [string, unknown, typeof TypeError][] => [
    ['buckets', { [family]: [] }, RangeError],
    ['buckets', { [family]: [1, 1] }, RangeError],
    ['buckets', { [family]: [2, 1] }, RangeError],
    ['buckets', { [family]: [0, 1] }, RangeError],
    ['buckets', { [family]: [-1, 1] }, RangeError],
    ['buckets', { [family]: [1, Infinity] }, RangeError],
    ['buckets', { [family]: [Number.NaN] }, RangeError],
    ['buckets', { [family]: ['1'] }, TypeError],
    ['buckets', { [family]: '1,2' }, TypeError],
    ['buckets', { [family]: null }, TypeError],
    ['buckets', { [family]: unprintable }, TypeError],
  ]),
  ['prefix', 7, TypeError],
  ['prefix', null, TypeError],
  ['prefix', '1', TypeError],
  ['prefix', 'a-', TypeError],
  ['prefix', 'vllm ', TypeError],
  ['maxLora', '8', TypeError],
  ['maxLora', null, TypeError],
  ['maxLora', -1, RangeError],
  ['maxLora', 0.5, RangeError],
  ['clock', null, TypeError],
  ['clock', Date.now, TypeError],
  ['clock', { now: 5 }, TypeError],
  ['unknownIntervals', 'none', TypeError],
  ['unknownIntervals', null, TypeError],
  ['unknownIntervals', true, TypeError],
  ['onDiagnostic', null, TypeError],
  ['onDiagnostic', 'log', TypeError],
];

function printed(value: unknown): string {
  return value === unprintable ? 'an object without a prototype' : String(JSON.stringify(value) ?? value);
}

describe('bad options of ServingMetrics throw at once, naming the option, with nothing registered', () => {
  const rows = BAD.map(([option, value, type]) => ({
    option,
    value,
    type,
    title:
      typeof value === 'bigint'
        ? 'bigint'
        : Array.isArray(value) && typeof value[0] === 'bigint'
          ? '[1n]'
          : printed(value),
  }));

  it.each(rows)('$option: $title', ({ option, value, type }) => {
    const given = { [option]: value };
    expect(() => build(given)).toThrow(type);
    expect(() => build(given)).toThrow(new RegExp(`^${option}[^\\n]*: expected .*, got `));
    expect(registry.getMetricsAsArray()).toEqual([]);
  });

  it.each(names)('a bad bound names its family: buckets.%s', (family) => {
    expect(() => build({ buckets: { [family]: [3, 2] } })).toThrow(
      `buckets.${family}: expected strictly increasing bounds, got 2 after 3`,
    );
  });

  it.each([undefined, null, 7, 'options'])('options: %s', (options) => {
    expect(() => new ServingMetrics(options as unknown as ServingMetricsOptions)).toThrow(TypeError);
    expect(() => new ServingMetrics(options as unknown as ServingMetricsOptions)).toThrow(
      /^options: expected/,
    );
  });

  it('an unknown key, at the top and in buckets', () => {
    expect(() => build({ modelname: 'm' })).toThrow(TypeError);
    expect(() => build({ modelname: 'm' })).toThrow(/^options: expected one of .*, got "modelname"$/);
    expect(() => build({ buckets: { ttft: [1] } })).toThrow(/^buckets: expected one of .*, got "ttft"$/);
    expect(registry.getMetricsAsArray()).toEqual([]);
  });
});

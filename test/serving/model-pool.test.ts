/** Metrics by model name, for gateways that learn names from their clients. */
import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { type ModelPoolOptions, modelPool } from '../../src/index.js';

it('makes an instance a name, up to its limit; further names share other', () => {
  const sources: string[] = [];
  const pool = modelPool({
    registry: new Registry(),
    profile: 'gateway',
    models: ['a'],
    maxModels: 2,
    onDiagnostic: ({ source, value }) => sources.push(`${source} ${value}`),
  });
  expect(pool('a')).toBe(pool('a'));
  expect(pool('b')).not.toBe(pool('a'));
  expect(pool('c')).toBe(pool('other'));
  expect(pool('d')).toBe(pool('c'));
  expect(pool('b').core.modelName).toBe('b');
  expect(sources).toEqual(['modelName c', 'modelName d', 'modelName c']);
});

it('with a bad name among its models leaves nothing behind', () => {
  const registry = new Registry();
  expect(() => modelPool({ registry, models: ['a', ''] })).toThrow(
    /modelPool\.models: expected non-empty names/,
  );
  expect(registry.getMetricsAsArray()).toEqual([]);
});

it('takes what is no name as other', () => {
  const pool = modelPool({ registry: new Registry(), profile: 'gateway' });
  for (const name of ['', undefined, null, 5, 'x'.repeat(257)])
    expect(pool(name as string)).toBe(pool('other'));
});

it.each<[string, object | null]>([
  ['modelPool.options: expected an object, got null', null],
  ['modelPool.models: expected an array of names, got "a"', { models: 'a' }],
  ['modelPool.models: expected non-empty names, got 5', { models: [5] }],
  ['modelPool.maxModels: expected a whole number of at least 1, got 0', { maxModels: 0 }],
])('refuses a bad option: %s', (message, options) => {
  const registry = new Registry();
  const all = options && { registry, profile: 'gateway', ...options };
  expect(() => modelPool(all as unknown as ModelPoolOptions)).toThrow(message);
  expect(registry.getMetricsAsArray()).toEqual([]);
});

it('says why a name went to other, and takes one of 256 characters', () => {
  const messages: string[] = [];
  const registry = new Registry();
  const onDiagnostic = ({ message }: { message: string }) => void messages.push(message);
  const pool = modelPool({ registry, profile: 'gateway', maxModels: 1, onDiagnostic });
  const longest = 'x'.repeat(256);
  expect(pool(longest).core.modelName).toBe(longest);
  expect(pool(`${longest}x`).core.modelName).toBe('other');
  expect(pool('b').core.modelName).toBe('other');
  expect(messages).toEqual([
    'expected a name of 1 to 256 characters, took other',
    'expected at most 1 models, took other',
  ]);
});

it('has its own models from the start, other among them', () => {
  const registry = new Registry();
  const pool = modelPool({ registry, profile: 'gateway', models: ['a', 'other'], maxModels: 3 });
  expect(pool('other')).toBe(pool('other'));
  const names = ['a', 'b', 'c'].map((name) => pool(name).core.modelName);
  expect(names).toEqual(['a', 'b', 'other']); // `other` is one of the three here
});

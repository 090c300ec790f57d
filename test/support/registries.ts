/** Registries with families of ours, and random things that happen to them. */
import fc from 'fast-check';
import { Registry, type RegistryContentType } from 'prom-client';
import type { MetricDescriptor, MetricType } from '../../src/metric/descriptor.js';
import type { PromRegistry } from '../../src/prom/prom-client.js';
import { acquireFamilies } from '../../src/prom/register.js';
import type { RegisteredFamily } from '../../src/prom/registered-family.js';

export function describeFamily(
  type: MetricType,
  name: string,
  labelNames: readonly string[] = [],
  upperBounds: readonly number[] = [],
): MetricDescriptor {
  return { name, help: `Help of ${name}.`, type, labelNames, aggregator: 'sum', upperBounds };
}

/** Registers families of ours that nobody else uses. */
export function register(registry: PromRegistry, ...descriptors: MetricDescriptor[]): RegisteredFamily[] {
  return acquireFamilies(
    registry,
    descriptors.map((descriptor) => ({ descriptor })),
    {},
  );
}

/** A registry that writes one of the two formats. */
export type AnyRegistry = Registry<RegistryContentType>;

/** A registry, to begin with of the text format. */
export function makeRegistry(format: RegistryContentType = Registry.PROMETHEUS_CONTENT_TYPE): AnyRegistry {
  const registry: AnyRegistry = new Registry();
  registry.setContentType(format);
  return registry;
}

/** A registry that has the same metrics and no page yet. */
export function freshCopy(registry: AnyRegistry, defaults: Record<string, string> = {}): AnyRegistry {
  const copy = Registry.merge([registry as Registry]);
  copy.setDefaultLabels(defaults);
  return copy;
}

/** Strings that break writers and readers which are not careful. */
export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom('\\', '"', '\n', ',', '{', '}', '=', ' ', 'é', '€', '😀'),
    maxLength: 8,
  }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '\\n',
    '\n',
    '"',
    '\\"',
    '\ud800',
    '\udfff!',
    '\r\n',
    '\u2028',
    ' ',
  ),
);

const plainText = fc.constantFrom('0', '1', '10', 'm', 'stop', 'meta-llama/Llama-3.1-8B');
const labelValue = fc.oneof({ weight: 5, arbitrary: plainText }, { weight: 1, arbitrary: hostileText });
const LABEL_NAMES = ['engine', 'model_name', 'a', 'z', 'ld', 'lf', 'l'];

const bounds = fc
  .uniqueArray(fc.oneof(fc.integer({ min: 1, max: 5e6 }), fc.double({ min: 1e-6, max: 1e7, noNaN: true })), {
    minLength: 1,
    maxLength: 6,
  })
  .map((values) => values.sort((a, b) => a - b));

const someFamily = fc.record({
  type: fc.constantFrom('counter', 'gauge', 'histogram'),
  labelNames: fc.uniqueArray(fc.constantFrom(...LABEL_NAMES), { maxLength: 3 }),
  bounds,
  help: fc.oneof(
    fc.constant('A help text.'),
    hostileText.filter((text) => text !== '' && text.isWellFormed()),
  ),
});

/** A few families of all types. */
export const families: fc.Arbitrary<MetricDescriptor[]> = fc
  .array(someFamily, { minLength: 1, maxLength: 4 })
  .map((all) =>
    all.map(({ type, labelNames, bounds, help }, i) => ({
      ...describeFamily(
        type as MetricType,
        `vllm:f${i}${type === 'counter' ? '_total' : ''}`,
        labelNames,
        bounds,
      ),
      help,
    })),
  );

const value = fc.oneof(
  fc.integer({ min: 0, max: 12 }),
  fc.integer({ min: 0, max: 2 ** 40 }),
  fc.double({ min: 0, max: 1e200, noNaN: true }),
);

/** Something that happens to a series of one of the families. */
export type Step = (shared: readonly RegisteredFamily[]) => void;

/** A recording, or a series that comes, hides, shows again or leaves. */
export const step: fc.Arbitrary<Step> = fc
  .record({
    family: fc.nat(),
    values: fc.array(labelValue, { minLength: 3, maxLength: 3 }),
    value,
    what: fc.constantFrom('record', 'record', 'record', 'record', 'hide', 'show', 'remove'),
  })
  .map(({ family: at, values, value, what }) => (shared) => {
    const { family } = shared[at % shared.length]!;
    const labels = values.slice(0, family.descriptor.labelNames.length);
    const series = family.series(...labels);
    if (what === 'remove') family.remove(series);
    else if (what !== 'record') family.hide(series, what === 'hide');
    else record(family.labels(...labels), value);
  });

/** Records on a handle of any type. */
export function record(handle: ReturnType<RegisteredFamily['family']['labels']>, value: number): void {
  if ('observe' in handle) handle.observe(value);
  else if ('inc' in handle) handle.inc(value);
  else handle.set(value % 3 === 0 ? -value : value);
}

export const steps: fc.Arbitrary<Step[]> = fc.array(step, { maxLength: 25 });

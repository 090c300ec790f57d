/** Hostile strings as names of models and adapters: the page parses and gives them back. */
import fc from 'fast-check';
import { NEVER, type Subscription } from 'rxjs';
import { expect, it } from 'vitest';
import { renderMetrics, withRequestMetrics } from '../../src/index.js';
import { MAX_LIVE_ADAPTERS, OVERFLOW_ADAPTER } from '../../src/serving/engines/lora.js';
import { type ReadSample, readFamily, samplesOn } from '../support/read-page.js';
import { type Recording, recording } from '../support/recording.js';

const hostileNames = [
  'a"b',
  'a\\b',
  'a\\nb',
  'a\nb',
  'a\r\nb',
  'a,b',
  'a%2Cb',
  '%',
  '} 1\nforged_total 5',
  '{le="1"}',
  '# EOF',
  ' ',
  '\u0000',
  '\u2028',
  '\ud800',
  'x\udc00y',
  '😀',
  '__proto__',
  'constructor',
  'toString',
  'other',
  'é'.repeat(1000),
  '"\\\n'.repeat(21_845),
  'x'.repeat(65_536),
];

const name = fc.oneof(
  fc.constantFrom(...hostileNames.filter(({ length }) => length <= 1000)),
  fc.string({ minLength: 1, unit: 'binary' }),
  fc.string({ minLength: 1 }),
);

/** Our page's samples, and those of prom-client's. */
async function pagesOf({ registry }: Recording): Promise<ReadSample[][]> {
  const pages = [await renderMetrics(registry), await registry.metrics()];
  return pages.map(samplesOn);
}

it.each(hostileNames)('gives back a model name from the page: row %#', async (modelName) => {
  const recorded = recording({ modelName, engines: [0] });
  recorded.metrics.forEngine(0).generationTokens.inc(7);
  const { registry } = recorded;
  for (const page of [await renderMetrics(registry), await registry.metrics()]) {
    const { samples } = readFamily(page, 'vllm:generation_tokens_total');
    const found = samples.map(({ labels, value }) => [labels.get('model_name'), value]);
    expect(found).toEqual([[modelName.toWellFormed(), 7]]);
    expect(page).not.toMatch(/^forged/mu);
  }
});

it('gives back any model name', async () => {
  const run = fc.asyncProperty(name, async (modelName) => {
    const recorded = recording({ modelName });
    recorded.metrics.forEngine(0);
    for (const page of await pagesOf(recorded)) {
      const names = new Set(page.flatMap(({ labels }) => labels.get('model_name') ?? []));
      expect([...names]).toEqual([modelName.toWellFormed()]);
    }
  });
  await fc.assert(run, { numRuns: 60 });
}, 60_000);

function hold(recorded: Recording, loraNames: readonly string[]): Subscription[] {
  return loraNames.map((loraName) =>
    NEVER.pipe(
      withRequestMetrics(recorded.metrics, { numPromptTokens: 1, engineIndex: 0, loraName }),
    ).subscribe(),
  );
}

/** The adapters that wait, decoded. */
function waiting(page: readonly ReadSample[]): string[] | undefined {
  const sample = page.find(({ name: family }) => family === 'vllm:lora_requests_info');
  const text = sample?.labels.get('waiting_lora_adapters');
  return text?.split(',').map((one) => one.replaceAll('%2C', ',').replaceAll('%25', '%'));
}

it('gives back any adapter names', async () => {
  const run = fc.asyncProperty(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), async (names) => {
    const recorded = recording({ engines: [0] });
    const subscriptions = hold(recorded, names);
    const expected = new Set(names.map((one) => one.toWellFormed()));
    for (const page of await pagesOf(recorded)) expect(new Set(waiting(page))).toEqual(expected);
    for (const subscription of subscriptions) subscription.unsubscribe();
    for (const page of await pagesOf(recorded)) expect(waiting(page)).toBeUndefined();
    expect(recorded.diagnostics).toEqual([]);
  });
  await fc.assert(run, { numRuns: 60 });
}, 60_000);

it('counts adapters beyond the cap under other, with a diagnostic each', async () => {
  const recorded = recording({ engines: [0] });
  const subscriptions = hold(
    recorded,
    Array.from({ length: 3 * MAX_LIVE_ADAPTERS }, (_, i) => `adapter-${i}`),
  );
  const [page] = await pagesOf(recorded);
  const names = waiting(page!)!;
  expect(names.length).toBeLessThanOrEqual(MAX_LIVE_ADAPTERS + 1);
  expect(names).toContain(OVERFLOW_ADAPTER);
  const { loraName } = (await recorded.samples()).invalidValues();
  expect(loraName).toBeGreaterThanOrEqual(2 * MAX_LIVE_ADAPTERS);
  for (const subscription of subscriptions) subscription.unsubscribe();
  expect(waiting((await pagesOf(recorded))[0]!)).toBeUndefined();
  hold(recorded, ['once more']);
  expect(waiting((await pagesOf(recorded))[0]!)).toEqual(['once more']);
});

it('does not grow with adapters that come and go', async () => {
  const recorded = recording({ engines: [0] });
  const before = (await recorded.samples()).all.size;
  for (let i = 0; i < 5000; i++) for (const one of hold(recorded, [`adapter-${i}`])) one.unsubscribe();
  expect((await recorded.samples()).all.size).toBe(before);
  expect(recorded.diagnostics).toEqual([]);
});

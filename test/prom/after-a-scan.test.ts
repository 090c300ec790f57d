/** A renderer's question is over when it has been asked: whoever asks then gets values. */
import { expect, it } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import { describeFamily, makeRegistry, record, register } from '../support/registries.js';

it('a family that came after a page was made answers with its values', async () => {
  const registry = makeRegistry();
  register(registry, describeFamily('gauge', 'vllm:first'));
  await renderMetrics(registry);
  const [shared] = register(registry, describeFamily('gauge', 'vllm:g', ['engine']));
  record(shared!.family.labels('0'), 7);
  const [, answer] = await registry.getMetricsAsJSON();
  expect(answer).toMatchObject({ name: 'vllm:g', values: [{ labels: { engine: '0' }, value: 7 }] });
});

/** Small rules that larger tests pass by. */
import { describe, expect, it } from 'vitest';
import type { FinishReason, PrefillStats } from '../../src/index.js';
import { Rig } from '../support/rig.js';

describe('a prefill figure that is no count', () => {
  const whole: PrefillStats = { numPromptTokens: 4, numComputedTokens: 4 };

  it.each([
    ['numPromptTokens', 4],
    ['numComputedTokens', 4],
    ['numLocalCachedTokens', 4],
    ['numExternalCachedTokens', 4],
  ])('%s: is reported once, and the total alone counts', async (field, total) => {
    const rig = new Rig();
    rig.request().output(1, { prefillStats: { ...whole, [field]: -1 } });
    expect(rig.diagnostics).toMatchObject([{ message: 'expected a count, took none', value: -1 }]);
    expect(rig.sources()[0]).toMatch(new RegExp(`${field}$`));
    expect(await rig.value('vllm:prompt_tokens_total')).toBe(total);
    const sources = ['local_compute', 'local_cache_hit', 'external_kv_transfer'];
    const bySource = sources.map((source) =>
      rig.value('vllm:prompt_tokens_by_source_total', 0, `source="${source}"`),
    );
    expect(await Promise.all(bySource)).toEqual([0, 0, 0]);
  });

  it('of all cached tokens is reported, and their parts count', async () => {
    const rig = new Rig();
    rig.request().output(1, { prefillStats: { ...whole, numCachedTokens: 3 } });
    rig.request().output(1, { prefillStats: { ...whole, numCachedTokens: null } });
    rig.request().output(1, { prefillStats: { ...whole, numLocalCachedTokens: null } });
    expect(rig.diagnostics).toMatchObject([{ message: 'expected 0, took that', value: 3 }]);
    expect(rig.sources()[0]).toMatch(/numCachedTokens$/);
    expect(await rig.value('vllm:prompt_tokens_cached_total')).toBe(0);
  });
});

it.each<FinishReason>(['stop', 'length', 'abort', 'error', 'repetition'])(
  'an engine may end a request with %s',
  async (finishReason) => {
    const rig = new Rig();
    rig.request().output(1, { finishReason });
    expect(await rig.value('vllm:request_success_total', 0, `finished_reason="${finishReason}"`)).toBe(1);
    expect(rig.diagnostics).toEqual([]);
  },
);

it('a request without id, adapter and cap has none of them in its record', () => {
  const rig = new Rig();
  const records: object[] = [];
  rig.metrics.finishedRequests.subscribe((record) => records.push(record));
  rig.request().abort();
  expect(Object.keys(records[0]!)).not.toContain('requestId');
  expect(Object.keys(records[0]!)).not.toContain('loraName');
  expect(Object.keys(records[0]!)).not.toContain('maxTokens');
});

it('a diagnostic names engine and request where there are such', () => {
  const rig = new Rig();
  rig.request({ requestId: 'a' }).output(1, { timestamp: Number.NaN });
  rig.request().output(1, { timestamp: Number.NaN });
  rig.hostile({ engineIndex: -1 });
  expect(rig.diagnostics.map((diagnostic) => Object.keys(diagnostic).slice(3))).toEqual([
    ['engineIndex', 'requestId'],
    ['engineIndex'],
    [],
  ]);
  expect(rig.diagnostics[0]).toMatchObject({ engineIndex: 0, requestId: 'a' });
});

it('look-ups of the multimodal cache that are no struct are reported', () => {
  const rig = new Rig();
  for (const stats of [null, 5, undefined]) rig.metrics.recordMultiModalCache(0, stats as never);
  const message = 'expected an object that can be read, ignored the rest of it';
  expect(rig.diagnostics.map((diagnostic) => diagnostic.message)).toEqual([message, message, message]);
});

import { describe, expect, it } from 'vitest';
import type { Samples } from '../../support/samples.js';
import { sendStats } from './step.js';

describe('cache tiers', () => {
  const tier = (page: Samples, source: string) =>
    page.value('prompt_tokens_cached_by_source_total', 0, { source });

  it('are counted under their names, unknown ones under other, with diagnostics', async () => {
    const hitsBySource = JSON.parse(
      '{"host": 1, "p2p": 2, "disk": 3, "external_unspecified": 4, "moon": 5, "__proto__": 6, "toString": 7}',
    );
    const { page, invalid } = await sendStats({
      prefixCacheStats: { hits: 8 },
      connectorPrefixCacheStats: { hitsBySource },
    });
    expect(
      ['device', 'host', 'p2p', 'disk', 'external_unspecified', 'other'].map((name) => tier(page, name)),
    ).toEqual([8, 1, 2, 3, 4, 18]);
    expect(invalid).toEqual({ 'connectorPrefixCacheStats.hitsBySource': 3 });
  });

  it('have no other until one is unknown, and take no inherited key', async () => {
    const { page, invalid } = await sendStats({
      connectorPrefixCacheStats: { hitsBySource: Object.create({ moon: 5 }) },
    });
    expect(tier(page, 'other')).toBeUndefined();
    expect(invalid).toEqual({});
  });

  it('of unusable figures add 0', async () => {
    const { page, invalid } = await sendStats(
      { connectorPrefixCacheStats: { hitsBySource: { host: -1, disk: 'x', p2p: 3 } } },
      { connectorPrefixCacheStats: { hitsBySource: 7 } },
    );
    expect([tier(page, 'host'), tier(page, 'disk'), tier(page, 'p2p')]).toEqual([0, 0, 3]);
    expect(invalid).toEqual({ 'connectorPrefixCacheStats.hitsBySource': 3 });
  });
});

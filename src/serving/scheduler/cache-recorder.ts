/** Prefix caches: the engine's own, and the one behind a KV connector. */

import type { PrefixCacheStats } from '../../engine-core/scheduler-stats.js';
import { isRecordable } from '../../metric/handle.js';
import type { EngineHandles } from '../engines/engine-handles.js';
import type { InstanceEngine } from '../engines/instance-engine.js';
import { PREFIX_CACHE_STATS_NAMES, watchNames } from '../known-names.js';
import { plainNumber } from '../plain-number.js';
import type { StatsSink } from './stats-sink.js';

/** Local look-ups; preempted ones are in fields of their own and not added. Hits are of the device's tier. */
export function recordPrefixCache(sink: StatsSink, engine: InstanceEngine, stats: PrefixCacheStats): void {
  const { metrics } = engine;
  const { reset, queries, hits } = stats;
  if (reset === true) noteReset(engine);
  if (isRecordable(queries) && isRecordable(hits)) {
    metrics.prefixCacheQueries.add(queries);
    metrics.prefixCacheHits.add(hits);
    metrics.promptTokensCachedBySource.device.add(hits);
  } else recordOddPrefixCache(sink, metrics, stats);
}

function noteReset({ shared, metrics }: InstanceEngine): void {
  shared?.prefixCacheResets.note(metrics.prefixCacheQueries.value, metrics.prefixCacheHits.value);
}

function recordOddPrefixCache(sink: StatsSink, metrics: EngineHandles, stats: PrefixCacheStats): void {
  const { queries, hits } = stats;
  if (queries === undefined) watchNames(sink, 'prefixCacheStats', PREFIX_CACHE_STATS_NAMES, stats);
  sink.count(metrics.prefixCacheQueries, 'prefixCacheStats.queries', queries);
  const count = plainNumber(hits);
  if (isRecordable(count)) {
    metrics.prefixCacheHits.add(count);
    metrics.promptTokensCachedBySource.device.add(count);
  } else sink.odd('prefixCacheStats.hits', 'expected a count, added 0', hits);
}

/**
 * Look-ups through a connector, and its hits by tier, which older engines do not send.
 * @see rust/src/metrics `CacheTier`; pull request 56318
 */
export function recordConnectorCache(sink: StatsSink, engine: InstanceEngine, stats: PrefixCacheStats): void {
  const { metrics } = engine;
  if (stats.queries === undefined)
    watchNames(sink, 'connectorPrefixCacheStats', PREFIX_CACHE_STATS_NAMES, stats);
  const { externalPrefixCacheQueries: queries, externalPrefixCacheHits: hits } = metrics;
  if (stats.reset === true) engine.shared?.externalCacheResets.note(queries.value, hits.value);
  sink.count(queries, 'connectorPrefixCacheStats.queries', stats.queries);
  sink.count(hits, 'connectorPrefixCacheStats.hits', stats.hits);
  const bySource: unknown = stats.hitsBySource;
  if (bySource === undefined || bySource === null) return;
  if (sink.isStruct('connectorPrefixCacheStats.hitsBySource', bySource)) recordTiers(sink, engine, bySource);
}

function recordTiers(sink: StatsSink, engine: InstanceEngine, bySource: object): void {
  const source = 'connectorPrefixCacheStats.hitsBySource';
  for (const tier in bySource) {
    if (!Object.hasOwn(bySource, tier)) continue;
    const counter = tierOf(engine, tier);
    if (counter === undefined)
      sink.report(source, 'expected a known cache tier, counted it under other', tier);
    sink.count(counter ?? engine.otherTier(), source, (bySource as Record<string, unknown>)[tier]);
  }
}

function tierOf({ metrics }: InstanceEngine, tier: string) {
  const tiers = metrics.promptTokensCachedBySource;
  switch (tier) {
    case 'device':
      return tiers.device;
    case 'host':
      return tiers.host;
    case 'p2p':
      return tiers.p2p;
    case 'disk':
      return tiers.disk;
    case 'external_unspecified':
      return tiers.externalUnspecified;
    default:
      return undefined;
  }
}

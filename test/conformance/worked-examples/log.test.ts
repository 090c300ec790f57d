/** Worked examples 12 and 13 of upstream's own tests: the stats log. */
import { VirtualTimeScheduler } from 'rxjs';
import { expect, it } from 'vitest';
import { formatStatsLog, type StatsLogEntry, statsLog } from '../../../src/index.js';
import { DRAFTS, DRAFTS_LINE } from '../../support/log-figures.js';
import { Example } from './example.js';

/** The log of an example, tick by tick of 2 s. */
function logOf({ metrics }: Example) {
  const scheduler = new VirtualTimeScheduler();
  const entries: StatsLogEntry[] = [];
  statsLog(metrics, { every: 2000, scheduler }).subscribe((entry) => entries.push(entry));
  return (): StatsLogEntry => {
    scheduler.maxFrames = 2000 * (entries.length + 1);
    scheduler.flush();
    return entries.at(-1)!;
  };
}

it('12: the line on drafts tells the interval', () => {
  const example = new Example([0]);
  example.stats({ specDecodingStats: { numDrafts: 10, numDraftTokens: 100, numAcceptedTokens: 40 } });
  const tick = logOf(example);
  const specDecodingStats = { numDrafts: 4, numDraftTokens: 20, numAcceptedTokens: 12 };
  example.stats({ specDecodingStats: { ...specDecodingStats, numAcceptedTokensPerPos: [4, 2, 1] } });

  const { lines, stats } = tick();
  expect(stats.specDecoding).toEqual(DRAFTS);
  expect(lines.slice(1)).toEqual([DRAFTS_LINE]);
  expect(formatStatsLog(stats)).toEqual(lines);
});

it('12: drafts of several steps add up, and are told once', () => {
  const example = new Example([0]);
  const tick = logOf(example);
  example.stats({ specDecodingStats: { numDrafts: 2, numAcceptedTokensPerPos: [1, 2] } });
  example.stats({ specDecodingStats: { numDrafts: 3, numAcceptedTokensPerPos: [3, 4, 5] } });

  expect(tick().stats.specDecoding!.perPositionAcceptanceRates).toEqual([4 / 5, 6 / 5, 5 / 5]);
  const { lines, stats } = tick();
  expect(stats.specDecoding).toBeUndefined();
  expect(lines).toHaveLength(1);
});

it('13: MFU over two engines is their mean', () => {
  const example = new Example([0, 1]);
  const tick = logOf(example);
  const perfStats = { numFlopsPerGpu: 4e12, numReadBytesPerGpu: 2e9, numWriteBytesPerGpu: 2e9 };
  example.stats({ perfStats });

  const { lines, stats } = tick();
  expect(stats.mfu).toEqual({ tflopsPerGpu: 1, gbytesPerSecondPerGpu: 1 });
  expect(lines.slice(1)).toEqual(['2 Engines Aggregated: MFU: 1.0 TF/s/GPU 1.0 GB/s/GPU']);
  expect(formatStatsLog(stats)).toEqual(lines);
});

it.each([
  [25, 100, '25.0'],
  [0, 0, '0.0'],
])('13: %i hits of %i queries are %s %', (hits, queries, percent) => {
  const example = new Example([0]);
  const tick = logOf(example);
  example.stats({ prefixCacheStats: { hits, queries } });

  expect(tick().line).toContain(`Prefix cache hit rate: ${percent}%`);
});

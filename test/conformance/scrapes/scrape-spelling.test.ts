import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import { schedulerStats } from '../../../src/testing/index.js';
import type { ReadFamily } from '../../support/read-page.js';
import type { Recording } from '../../support/recording.js';
import { familiesOf } from './page.js';
import { SCRAPES, type Scrape, servingAs, setFigure, setTotals, type Totals, valuesOf } from './scrape.js';

/** Samples of a scrape that a figure of ours can equal: its LoRA values are times, other families are not ours. */
function comparable({ families, samples }: Scrape) {
  return families
    .filter(
      ({ name }) => name.startsWith('vllm:') && !/lora_requests_info|tool_call|cache_config/u.test(name),
    )
    .map((family) => {
      const names = ['', '_sum', '_count'].map((suffix) => family.name + suffix);
      return {
        family,
        samples: samples.filter(({ series }) => names.includes(series.replace(/\{.*/su, ''))),
      };
    });
}

type Figures = ReturnType<typeof comparable>[number];

function totalsOf({ family, samples }: Figures): Totals {
  const value = (suffix: string) =>
    samples.find(({ series }) => series.startsWith(`${family.name}${suffix}{`))?.value ?? 0;
  return { sum: value('_sum'), count: value('_count') };
}

/** NIXL's families have no fields: their figures come as its payload does. */
function recordNixl({ batches }: Recording, figures: readonly Figures[]): void {
  const of = (name: string) => figures.find(({ family }) => family.name === `vllm:nixl_${name}`);
  if (of('xfer_time_seconds') === undefined) return;
  const list = (name: string) => [...valuesOf(totalsOf(of(name)!))];
  const count = (name: string) => of(name)!.samples.map(({ value }) => value);
  const kvConnectorStats = {
    transferDuration: list('xfer_time_seconds'),
    postDuration: list('post_time_seconds'),
    bytesTransferred: list('bytes_transferred'),
    numDescriptors: list('num_descriptors'),
    numFailedTransfers: count('num_failed_transfers_total'),
    numFailedNotifications: count('num_failed_notifications_total'),
    numKvExpiredReqs: count('num_kv_expired_reqs_total'),
  };
  batches.next({
    engineIndex: 0,
    timestamp: 1,
    outputs: [],
    schedulerStats: schedulerStats({ kvConnectorStats }),
  });
}

/** Our page with the figures of the scrape. */
async function pageOf(scrape: Scrape): Promise<string> {
  const like = servingAs(scrape);
  const figures = comparable(scrape);
  recordNixl(like, figures);
  for (const { family, samples } of figures.filter(({ family }) => !family.name.startsWith('vllm:nixl_'))) {
    const series = samples[0]?.series;
    if (family.type === 'histogram' && series !== undefined)
      setTotals(like.metrics, family.name, series, totalsOf({ family, samples }));
    if (family.type !== 'histogram')
      for (const sample of samples) setFigure(like.metrics, family, sample.series, sample.value);
  }
  return renderMetrics(like.registry);
}

/** Where a histogram's line belongs among those of its label set. */
function place({ name }: { name: string }): number {
  return ['_bucket', '_count', '_sum'].findIndex((suffix) => name.endsWith(suffix));
}

function histogramOrder({ samples }: ReadFamily): boolean {
  return samples.every((sample, i) => i === 0 || place(samples[i - 1]!) <= place(sample));
}

describe.each(SCRAPES)('with the figures of %s the page', (_, scrape) => {
  it('spells each sample as vLLM did', async () => {
    const lines = new Set((await pageOf(scrape)).split('\n'));
    const theirs = comparable(scrape).flatMap(({ samples }) =>
      samples.map(({ series, text }) => `${series} ${text}`),
    );

    expect(theirs.length).toBeGreaterThan(40);
    expect(theirs.filter((line) => !lines.has(line))).toEqual([]);
  });

  it('has the format of vLLM', async () => {
    const page = await pageOf(scrape);
    const families = [...familiesOf(page)];
    const samples = families.flatMap(([, family]) => family.samples);

    const unsorted = samples.filter(
      ({ labels }) => [...labels.keys()].sort().join() !== [...labels.keys()].join(),
    );
    expect(unsorted).toEqual([]);
    expect(
      families.filter(([, { type }]) => type === 'histogram').every(([, family]) => histogramOrder(family)),
    ).toBe(true);
    const counters = families.filter(([, { type }]) => type === 'counter').map(([name]) => name);
    expect(counters.filter((name) => !name.endsWith('_total'))).toEqual([]);
    expect(page).not.toMatch(/_created|# EOF/u);
    expect(scrape.format).toEqual(FORMAT);
  });
});

/** What the test above is written for. */
const FORMAT = {
  label_order:
    'ascending by label name with le sorted in: {engine,le,model_name}, {engine,finished_reason,model_name}, ' +
    '{engine,model_name,reason|sleep_state|source}, {handler,le,method}',
  histogram_sample_order:
    '_bucket in ascending le, _count, _sum; then <name>_created as its own HELP/TYPE gauge family',
  summary_sample_order: '_count, _sum per label set; no quantile series',
  counter_type_line: 'HELP and TYPE lines carry the _total name',
  created_family:
    'counter x_total -> x_created, histogram/summary x -> x_created, TYPE gauge, HELP repeated from the parent',
  eof_marker: false,
  sample_timestamps: false,
};

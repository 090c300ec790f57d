/** Pages: `renderMetrics` against prom-client's writer over its own families with the same series. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Registry } from 'prom-client';
import { metricsChunks, renderMetrics } from '../../src/prom/page/render.js';
import { type Row, report, type Spread, spreadOf } from './harness.js';
import { move, ourRegistry, theirRegistry } from './workloads/page-workload.js';

async function milliseconds(body: () => Promise<unknown>): Promise<number> {
  const start = process.hrtime.bigint();
  await body();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

async function chunks(registry: Registry): Promise<number> {
  let bytes = 0;
  for await (const chunk of metricsChunks(registry)) bytes += chunk.byteLength;
  return bytes;
}

type Kind = 'theirs' | 'still' | 'tenth' | 'every' | 'bytes' | 'collected';

/** Milliseconds of each way to make a page, all in each round. */
async function pages(engines: number, rounds: number): Promise<Record<Kind, Spread>> {
  const ours = ourRegistry(engines);
  const theirs = theirRegistry(ours);
  const figures: Record<Kind, number[]> = {
    theirs: [],
    still: [],
    tenth: [],
    every: [],
    bytes: [],
    collected: [],
  };
  for (let round = -5; round < rounds; round++) {
    const add = async (kind: Kind, body: () => Promise<unknown>) => {
      const spent = await milliseconds(body);
      if (round >= 0) figures[kind].push(spent);
    };
    await add('theirs', () => theirs.metrics());
    move(ours, 1);
    await add('every', () => renderMetrics(ours));
    await add('still', () => renderMetrics(ours));
    move(ours, 10);
    await add('tenth', () => renderMetrics(ours));
    move(ours, 1);
    await add('bytes', () => chunks(ours));
    await add('collected', () => ours.metrics());
  }
  const entries = Object.entries(figures).map(([kind, values]) => [kind, spreadOf(values)]);
  return Object.fromEntries(entries) as Record<Kind, Spread>;
}

/** Runs a file of this folder in a process of its own and returns what it prints. */
function fresh(name: string, ...args: readonly (number | string)[]): string {
  const file = fileURLToPath(new URL(`./workloads/${name}.js`, import.meta.url));
  return execFileSync(process.execPath, [file, ...args.map(String)], { encoding: 'utf8' });
}

function firstPage(kind: 'ours' | 'theirs', engines: number): number {
  return Number(fresh('first-page', kind, engines));
}

interface Blocks {
  readonly first: number;
  readonly text: readonly number[];
  readonly chunks: readonly number[];
}

const at64 = await pages(64, 41);
const firsts = Array.from({ length: 15 }, () => [firstPage('theirs', 64), firstPage('ours', 64)] as const);
const first = {
  theirs: spreadOf(firsts.map(([theirs]) => theirs)),
  ours: spreadOf(firsts.map(([, ours]) => ours)),
};
const growth = new Map([[64, at64]]);
for (const engines of [1, 8, 512]) growth.set(engines, await pages(engines, engines === 512 ? 7 : 41));

const blocks = Array.from({ length: 3 }, () => JSON.parse(fresh('longest-block', 512)) as Blocks);
const [text, inChunks] = [blocks.flatMap((run) => run.text), blocks.flatMap((run) => run.chunks)].map((all) =>
  spreadOf(all),
) as [Spread, Spread];
const firstBlock = spreadOf(blocks.map((run) => run.first));

function row(what: string, ours: Spread, theirs: Spread, least: number): Row {
  const ratio = theirs.median / ours.median;
  const measured = `${ratio.toFixed(1)} × (${ours.median.toFixed(2)} ms against ${theirs.median.toFixed(1)} ms)`;
  return { what, measured, target: `≥ ${least} ×`, met: ratio >= least };
}

const byEngines = [1, 8, 64, 512].map((engines) => {
  const { every, theirs } = growth.get(engines)!;
  return `${engines}: ${(theirs.median / every.median).toFixed(1)} × (${every.median.toFixed(2)} ms)`;
});
const collected = at64.collected.median / at64.theirs.median;
const worst = Math.max(text.max, inChunks.max, firstBlock.max);
report([
  row('`renderMetrics` at 64 engines, nothing moved', at64.still, at64.theirs, 100),
  row('`renderMetrics` at 64 engines, a tenth moved', at64.tenth, at64.theirs, 20),
  row('`renderMetrics` at 64 engines, every cell moved', at64.every, at64.theirs, 10),
  row('`metricsChunks` at 64 engines, every cell moved, in bytes', at64.bytes, at64.theirs, 8),
  row('first scrape at 64 engines in a fresh process', first.ours, first.theirs, 2),
  {
    what: 'every cell moved, at 1 / 8 / 64 / 512 engines',
    measured: byEngines.join(', '),
    target: '≥ 5 × at 64',
    met: at64.theirs.median / at64.every.median >= 5,
  },
  {
    what: 'longest event-loop block of a scrape, 512 engines: median and worst of 60',
    measured:
      `in chunks ${inChunks.median.toFixed(1)} and ${inChunks.max.toFixed(1)} ms, ` +
      `as a string ${text.median.toFixed(1)} and ${text.max.toFixed(1)} ms, ` +
      `first scrapes ${firstBlock.median.toFixed(1)} and ${firstBlock.max.toFixed(1)} ms`,
    target: '≤ 5 ms',
    met: worst <= 5,
  },
  {
    what: "`registry.metrics()` (prom-client's own writer) over our collectors, against over its own families",
    measured: `${collected.toFixed(2)} × (${at64.collected.median.toFixed(1)} ms against ${at64.theirs.median.toFixed(1)} ms)`,
    target: '≤ 1.0 ×',
    met: collected <= 1,
  },
]);

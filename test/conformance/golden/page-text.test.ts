import { describe, expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import { fixtureNames } from '../../support/fixtures.js';
import { type GoldenCase, pythonCases } from './golden-case.js';
import { Replay } from './replay.js';

const files = fixtureNames('golden')
  .map((name) => /^python-(.*)\.json$/u.exec(name)?.[1])
  .filter((file) => file !== undefined);
const pages = files.flatMap((file) => pythonCases(file)).filter(({ text }) => text !== undefined);

/** A page by family: its TYPE line and its samples, as they stand there. HELP lines, which are our own, are left out. */
function familyBlocks(page: string): ReadonlyMap<string, readonly string[]> {
  const blocks = new Map<string, string[]>();
  let block: string[] = [];
  for (const line of page.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue;
    if (line.startsWith('# TYPE ')) {
      block = [];
      blocks.set(line.split(' ')[2]!, block);
    }
    block.push(line);
  }
  return blocks;
}

function engineOf(line: string): string {
  return /[{,]engine="(\d+)"/u.exec(line)?.[1] ?? '';
}

/**
 * The lines of a page by family, samples that differ on purpose aside. Over several engines Python lists a value of
 * an extra label for all of them before the next value, ours engine by engine: the order is compared per engine.
 */
function comparable(page: string, { differs }: GoldenCase): [string, string[]][] {
  const skipped = new Set(differs.flatMap(({ keys }) => keys));
  return [...familyBlocks(page)].map(([family, lines]) => [
    family,
    lines
      .filter((line) => !skipped.has(line.slice(0, line.lastIndexOf(' '))))
      .sort((a, b) => engineOf(a).localeCompare(engineOf(b))),
  ]);
}

describe("Python's page", () => {
  it.each(pages.map((golden) => [golden.name, golden] as const))(
    '%s has the same lines',
    async (_, golden) => {
      const { registry } = new Replay(golden.options).run(golden.steps);
      const ours = new Map(comparable(await renderMetrics(registry), golden));

      const theirs = comparable(golden.text!, golden);
      expect(theirs.map(([family]) => [family, ours.get(family)])).toEqual(theirs);
    },
  );

  it('is there for 17 cases', () => {
    expect(pages).toHaveLength(17);
  });
});

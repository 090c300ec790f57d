import { table, wrapped } from '../terminal/layout.js';
import type { IdentityResult } from './identities.js';

/** More engines than this show their figures only where they disagree. */
const MAX_COLUMNS = 4;

/** To the last digit: two figures that differ must look different. */
function exactly(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString('en-US') : String(value);
}

function row(name: string, results: readonly IdentityResult[]): string[] {
  const broken = results.filter(({ holds }) => !holds);
  const shown = broken.length > 0 ? broken : results;
  const verdict = `${broken.length > 0 ? 'FAILED' : 'ok'}  ${name}`;
  if (broken.length === 0 && results.length > MAX_COLUMNS) return [verdict, `on ${results.length} engines`];
  return [
    verdict,
    ...shown.map(({ engineIndex, left, right, holds }) => {
      const figures = holds ? exactly(left) : `${exactly(left)} is not ${exactly(right)}`;
      return `engine ${engineIndex}: ${figures}`;
    }),
  ];
}

/** One line an identity, with each engine's figure; more of them where one is wider than `width`. */
export function identityLines(results: readonly IdentityResult[], width: number = Infinity): string[] {
  const byName = new Map<string, IdentityResult[]>();
  for (const result of results) {
    const known = byName.get(result.name);
    if (known === undefined) byName.set(result.name, [result]);
    else known.push(result);
  }
  const numBroken = results.filter(({ holds }) => !holds).length;
  const verdict = numBroken === 0 ? 'all hold' : `${numBroken} FAILED`;
  return [
    ...wrapped([`Identities: ${results.length} checked, ${verdict}`], width),
    ...table(
      [...byName].map(([name, group]) => row(name, group)),
      { width, hasHead: false },
    ),
  ];
}

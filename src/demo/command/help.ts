import { wrapped } from '../terminal/layout.js';
import { type OptionRow, rows } from './option-rows.js';

const INTRO: readonly string[] = [
  'Simulated LLM engines behind an OpenAI-compatible frontend: a live page on /, the API on /v1, and on /metrics',
  "vLLM's metrics of it all, by OutputRouter, withRequestMetrics and withSchedulerMetrics. A production trace,",
  'over and over, is the load.',
  '',
  'Usage: npm start -- [options]',
  '',
];

const OUTRO: readonly string[] = [
  'Exit code: 0; 1 if a figure of the page disagrees with another, or --once has lost all engines; 2 for bad input.',
];

function usage({ name, hint, short }: OptionRow<unknown>): string {
  return `  ${short === undefined ? '' : `-${short}, `}--${name}${hint === undefined ? '' : ` ${hint}`}`;
}

function fallbackOf({ hint, shown, fallback }: OptionRow<unknown>): string {
  return hint === undefined ? '' : ` (default: ${shown ?? String(fallback)})`;
}

/** All options with their defaults; where one is wider than `width`, each has its help below it. */
export function helpLines(width: number = Infinity): string[] {
  const column = Math.max(...rows().map((row) => usage(row).length)) + 2;
  const helps = rows().map((row) => row.help + fallbackOf(row));
  const fits = helps.every(({ length }) => column + length <= width);
  const options = rows().flatMap((row, i) =>
    fits ? [usage(row).padEnd(column) + helps[i]] : [usage(row), ...wrapped([helps[i]!], width, '      ')],
  );
  return [...wrapped(INTRO, width), ...options, '', ...wrapped(OUTRO, width)];
}

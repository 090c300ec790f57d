import { type OptionRow, rows } from './option-rows.js';

const INTRO = `Replays a production trace through simulated LLM engines, OutputRouter, withRequestMetrics and
withSchedulerMetrics, and serves vLLM's metrics of it on /metrics.

Usage: npm start -- [options]
`;

const OUTRO = `
Exit code: 0; 1 if a figure of the page disagrees with another; 2 for bad input.`;

function usage({ name, hint, short }: OptionRow<unknown>): string {
  return `  ${short === undefined ? '' : `-${short}, `}--${name}${hint === undefined ? '' : ` ${hint}`}`;
}

function fallbackOf({ hint, shown, fallback }: OptionRow<unknown>): string {
  return hint === undefined ? '' : ` (default: ${shown ?? String(fallback)})`;
}

/** All options with their defaults. */
export function helpText(): string {
  const width = Math.max(...rows().map((row) => usage(row).length)) + 2;
  const lines = rows().map((row) => usage(row).padEnd(width) + row.help + fallbackOf(row));
  return [INTRO, ...lines, OUTRO].join('\n');
}

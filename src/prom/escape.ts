/** Escapes of the exposition formats. */

const HELP = /[\\\n]/g;
const LABEL = /[\\\n"]/g;

function escaped(char: string): string {
  return char === '\n' ? '\\n' : `\\${char}`;
}

/** A label's value between its quotes. */
export function escapeLabelValue(value: string): string {
  return value.replace(LABEL, escaped);
}

/** A help text; OpenMetrics wants quotes escaped as well. */
export function escapeHelp(help: string, openMetrics: boolean): string {
  return help.replace(openMetrics ? LABEL : HELP, escaped);
}

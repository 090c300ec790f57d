/** Escapes of the exposition formats. */

const HELP = /[\\\n]/g;
const LABEL = /[\\\n"]/g;
const ESCAPED_IN_LABEL = /[\\\n"]/;

function escaped(char: string): string {
  return char === '\n' ? '\\n' : `\\${char}`;
}

/** A label's value between its quotes. */
export function escapeLabelValue(value: string): string {
  return ESCAPED_IN_LABEL.test(value) ? value.replace(LABEL, escaped) : value;
}

/** A help text; OpenMetrics wants quotes escaped as well. */
export function escapeHelp(help: string, openMetrics: boolean): string {
  return help.replace(openMetrics ? LABEL : HELP, escaped);
}

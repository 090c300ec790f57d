/** Text as wide as the terminal: what does not fit is laid out another way, for a terminal would cut it anywhere. */

/** How a table looks where its columns do not fit: a line a row, and its other cells below it. */
const INDENT = '  ';

/**
 * Columns of equal width, the first to the left, the others to the right. Where they are wider than `width`, each row
 * is its first cell and, below it, the others, after the heads of their columns if the table `hasHead`.
 */
export function table(
  rows: readonly (readonly string[])[],
  { width = Infinity, hasHead = true }: { readonly width?: number; readonly hasHead?: boolean } = {},
): string[] {
  const lines = inColumns(rows);
  return lines.every(({ length }) => length <= width) ? lines : inBlocks(rows, width, hasHead);
}

function inColumns(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!)))
      .join('  ')
      .trimEnd(),
  );
}

function inBlocks(rows: readonly (readonly string[])[], width: number, hasHead: boolean): string[] {
  const [head = [], ...rest] = hasHead ? rows : [[], ...rows];
  const title = hasHead ? [`${head[0] ?? ''}:`] : [];
  const blocks = rest.flatMap(([name = '', ...cells]) => [
    ...wrapped([name], width),
    ...cells.flatMap((cell, i) => wrapped([hasHead ? `${head[i + 1]} ${cell}` : cell], width, INDENT)),
  ]);
  return [...title, ...blocks];
}

/** Lines of at most `width`, broken between words, `indent` before each and again before what is broken off. */
export function wrapped(lines: readonly string[], width: number, indent = ''): string[] {
  return lines.flatMap((line) => brokenLine(`${indent}${line}`, width, `${indent}${INDENT}`));
}

/** A word that is longer than a line stands on one of its own. */
function brokenLine(line: string, width: number, indent: string): string[] {
  if (line.length <= width) return [line];
  const lines: string[] = [];
  let rest = line;
  while (rest.length > width) {
    const start = rest.search(/\S/);
    const space = Math.max(rest.lastIndexOf(' ', width), rest.indexOf(' ', start));
    if (space <= start) break;
    lines.push(rest.slice(0, space).trimEnd());
    rest = indent + rest.slice(space).trimStart();
  }
  return [...lines, rest];
}

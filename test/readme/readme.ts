/** The README's parts: what stands between markers, and its code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const PATH = resolve(import.meta.dirname, '../../README.md');

export function readReadme(): string {
  return readFileSync(PATH, 'utf8');
}

function between(name: string): RegExp {
  return new RegExp(`(<!-- ${name}:start -->\n)([\\s\\S]*?)(<!-- ${name}:end -->)`);
}

/** What stands between `<!-- name:start -->` and `<!-- name:end -->`. */
export function generatedPart(name: string): string {
  const found = between(name).exec(readReadme());
  if (found === null) throw new Error(`README.md: expected the markers of ${name}, got none`);
  return found[2]!;
}

export function writeGeneratedPart(name: string, text: string): void {
  writeFileSync(
    PATH,
    readReadme().replace(between(name), (_, start, __, end) => start + text + end),
  );
}

export interface CodeBlock {
  /** The nearest headings above it, outermost first. */
  readonly under: string;
  readonly code: string;
}

/** All blocks of TypeScript. */
export function codeBlocks(): readonly CodeBlock[] {
  const headings: string[] = [];
  const blocks: CodeBlock[] = [];
  for (const [, level, heading, code] of readReadme().matchAll(
    /^(#+) (.+)$|^```ts\n([\s\S]*?)^```$|^```[\s\S]*?^```$/gm,
  )) {
    if (heading !== undefined) headings.splice(level!.length - 1, Infinity, heading);
    else if (code !== undefined) blocks.push({ under: headings.slice(1).join(' / '), code });
  }
  return blocks;
}

/** A table of Markdown. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head!) + line(head!.map(() => '---')) + body.map(line).join('');
}

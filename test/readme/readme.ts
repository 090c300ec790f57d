/** The documents' parts: what stands between markers, and their code. */
import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** A document, by its path in the project. */
export type Document = 'README.md' | 'test/bench/README.md' | 'src/serving/catalog/README.md' | RoomDocument;
type RoomDocument = `src/${'openai' | 'prom' | 'simulator' | 'testing' | 'zeromq'}/README.md`;

/** Where programs stand. */
export const WITH_CODE: readonly Document[] = [
  'README.md',
  'src/openai/README.md',
  'src/prom/README.md',
  'src/simulator/README.md',
  'src/testing/README.md',
  'src/zeromq/README.md',
];

function pathOf(document: Document): string {
  return resolve(import.meta.dirname, '../..', document);
}

export function readDocument(document: Document): string {
  return readFileSync(pathOf(document), 'utf8');
}

function between(name: string): RegExp {
  return new RegExp(`(<!-- ${name}:start -->\n)([\\s\\S]*?)(<!-- ${name}:end -->)`);
}

/** What stands between `<!-- name:start -->` and `<!-- name:end -->`. */
export function generatedPart(document: Document, name: string): string {
  const found = between(name).exec(readDocument(document));
  if (found === null) throw new Error(`${document}: expected the markers of ${name}, got none`);
  return found[2]!;
}

export function writeGeneratedPart(document: Document, name: string, text: string): void {
  const written = readDocument(document).replace(between(name), (_, start, __, end) => start + text + end);
  writeFileSync(pathOf(document), written);
}

export interface CodeBlock {
  /** The nearest headings above it, outermost first. */
  readonly under: string;
  readonly code: string;
}

/** All blocks of TypeScript. */
export function codeBlocks(): readonly CodeBlock[] {
  return WITH_CODE.flatMap((document) => blocksOf(readDocument(document)));
}

function blocksOf(text: string): readonly CodeBlock[] {
  const headings: string[] = [];
  const blocks: CodeBlock[] = [];
  for (const [, level, heading, code] of text.matchAll(
    /^(#+) (.+)$|^```ts\n([\s\S]*?)^```$|^```[\s\S]*?^```$/gm,
  )) {
    if (heading !== undefined) headings.splice(level!.length - 1, Infinity, heading);
    else if (code !== undefined) blocks.push({ under: headings.join(' / '), code });
  }
  return blocks;
}

/** A table of Markdown. */
export function table(rows: readonly (readonly string[])[]): string {
  const [head, ...body] = rows;
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return line(head!) + line(head!.map(() => '---')) + body.map(line).join('');
}

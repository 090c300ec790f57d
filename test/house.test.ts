/** The house's own rules: architecture.md §4, style-anchors.md §5. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VERSION } from '../src/prom/version.js';

const ROOT = join(import.meta.dirname, '..');

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function filesUnder(folder: string): string[] {
  const paths = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => path.endsWith('.ts')).map((path) => `${folder}/${path}`);
}

/** A folder and those in it. */
function foldersUnder(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true });
  const inside = entries.filter((entry) => entry.isDirectory());
  return [folder, ...inside.map(({ parentPath, name }) => relative(ROOT, join(parentPath, name)))];
}

function filesIn(folder: string): number {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).filter((entry) => entry.isFile()).length;
}

/** The entries of the package: what their index files export is public. */
const ENTRIES = ['', 'testing/', 'simulator/', 'openai/', 'wire/', 'zeromq/'].map(
  (entry) => `src/${entry}index.ts`,
);

/** Exported name to the file that declares it, through an index file of export lists only. */
function exportsOf(entry: string): [name: string, file: string][] {
  return [...read(entry).matchAll(/^export (?:type )?(\*|\{[^}]*\}) from '([^']+)';/gm)].flatMap(
    ([, list, specifier]) => {
      const file = relative(ROOT, join(ROOT, dirname(entry), specifier!)).replace(/\.js$/, '.ts');
      const names = list === '*' ? declaredIn(file) : list!.slice(1, -1).split(',');
      return names
        .map((name) => name.replace(/\btype /, '').trim())
        .filter((name) => name !== '')
        .map((name): [string, string] => [name, file]);
    },
  );
}

const DECLARATION = 'export (?:declare |abstract |async )*(?:class|interface|type|function|const)';

function declaredIn(file: string): string[] {
  return [...read(file).matchAll(new RegExp(`^${DECLARATION} ([\\w$]+)`, 'gm'))].map(([, name]) => name!);
}

/** True if a docstring ends right above the name's declaration. */
function hasDocstring([name, file]: [string, string]): boolean {
  return new RegExp(
    `\\*/\\n(?:/\\*[^*][^\\n]*\\n|//[^\\n]*\\n)*${DECLARATION} ${name.replace('$', '\\$')}(?!\\w)`,
  ).test(read(file));
}

/** What §4 allows at the top: the five, and what tools force beside them. */
const TOP_LEVEL = [
  '.ci',
  '.gitignore',
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'biome.json',
  'package-lock.json',
  'package.json',
  'src',
  'test',
  'tsconfig.json',
];

/** A file is as long as its concept, about 40 to 120 lines; longer than this it holds two (architecture.md §4). */
const MOST_LINES = 200;

/** A folder with more files than this is two rooms; tables of data do not count (architecture.md §4). */
const MOST_FILES = 15;

/** Nothing but tables of data is below it. */
const DATA = 'test/fixtures';

/** The files that are longer all the same, and why. */
const LONGER: Readonly<Record<string, string>> = {};

/** Longer, a README is not read; what is left over has a README beside its code. */
const MOST_README_LINES = 350;

describe('the house', () => {
  it(`has no source file above ${MOST_LINES} lines but for those with a reason`, () => {
    const long = filesUnder('src').filter((file) => read(file).split('\n').length - 1 > MOST_LINES);
    expect(long).toEqual(Object.keys(LONGER));
  });

  it(`has no folder above ${MOST_FILES} files`, () => {
    const full = ['src', 'test']
      .flatMap(foldersUnder)
      .filter((folder) => !folder.startsWith(`${DATA}/`))
      .map((folder) => ({ folder, files: filesIn(folder) }))
      .filter(({ files }) => files > MOST_FILES);
    expect(full).toEqual([]);
  });

  it(`has a README of at most ${MOST_README_LINES} lines`, () => {
    expect(read('README.md').split('\n').length - 1).toBeLessThanOrEqual(MOST_README_LINES);
  });

  it('holds at its top level what architecture.md allows', () => {
    const ignored = read('.gitignore')
      .split('\n')
      .map((line) => line.replace(/\/$/, ''));
    const top = readdirSync(ROOT).filter((name) => name !== '.git' && !ignored.includes(name));
    expect(top.filter((name) => !TOP_LEVEL.includes(name))).toEqual([]);
  });

  it('has a docstring on every exported name', () => {
    const names = ENTRIES.flatMap(exportsOf);
    expect(names.length).toBeGreaterThan(30);
    expect(names.filter((name) => !hasDocstring(name)).map(([name, file]) => `${name} in ${file}`)).toEqual(
      [],
    );
  });

  it('knows its version', () => {
    expect(VERSION).toBe((JSON.parse(read('package.json')) as { version: string }).version);
  });
});

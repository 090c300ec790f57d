/** Imports go down: architecture.md §4. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

interface Import {
  readonly from: string;
  readonly floor: string;
  /** A package, or a file of `src`. */
  readonly target: string;
  /** The floor of a file of `src`; the package's name otherwise. */
  readonly targetFloor: string;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
}

/** What a floor may import: other floors and packages; a package followed by `:type` as a type only. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  metric: [],
  prom: ['metric', 'prom-client:type'],
  serving: ['metric', 'prom', 'rxjs'],
  'engine-core': ['metric', 'serving', 'rxjs'],
  operators: ['metric', 'prom', 'serving', 'rxjs'],
  'index.ts': ['metric', 'prom', 'serving', 'engine-core', 'operators'],
  testing: ['metric', 'prom', 'serving', 'operators', 'rxjs', 'rxjs/testing', 'node:assert'],
  simulator: ['serving', 'engine-core', 'rxjs'],
  wire: ['serving:type'],
  zeromq: ['serving', 'wire', 'engine-core', 'rxjs', 'zeromq', 'node:*'],
  demo: ['index.ts', 'testing', 'simulator', 'wire', 'zeromq', 'rxjs', 'prom-client', 'node:*'],
};

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)';|\bimport\(\s*'([^']+)'\s*\)/gm;

function floorOf(path: string): string {
  return path.split('/')[0]!;
}

/** The names between the braces; those marked `type` one by one do not count as values. */
function valueNames(clause: string): readonly string[] {
  const listed = /\{([^}]*)\}/.exec(clause)?.[1] ?? clause;
  return listed
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '));
}

function importsOf(path: string): Import[] {
  const text = readFileSync(join(SRC, path), 'utf8');
  return [...text.matchAll(IMPORT)].map(([, type, clause = '', specifier, dynamic]) => {
    const target = (specifier ?? dynamic)!;
    const local = target.startsWith('.');
    const file = local ? relative(SRC, join(SRC, dirname(path), target)).replace(/\.js$/, '.ts') : target;
    const names = valueNames(clause);
    const typeOnly = type !== undefined || (clause.includes('{') && names.length === 0);
    const targetFloor = local ? floorOf(file) : target;
    return { from: path, floor: floorOf(path), target: file, targetFloor, typeOnly, names };
  });
}

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'));
const IMPORTS = FILES.flatMap(importsOf);

function isAllowed({ floor, targetFloor, typeOnly }: Import): boolean {
  if (floor === targetFloor) return true;
  const allowed = MAY_IMPORT[floor] ?? [];
  if (allowed.includes(targetFloor)) return true;
  if (typeOnly && allowed.includes(`${targetFloor}:type`)) return true;
  return targetFloor.startsWith('node:') && allowed.includes('node:*');
}

/** The first cycle among files that import each other for values; undefined if there is none. */
function cycle(): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(path)) return [...trail, path];
    if (done.has(path)) return undefined;
    const targets = IMPORTS.filter(({ from, typeOnly }) => from === path && !typeOnly);
    for (const { target } of targets) {
      const found = visit(target, [...trail, path]);
      if (found !== undefined) return found;
    }
    done.add(path);
    return undefined;
  };
  for (const path of FILES) {
    const found = visit(path, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe('floors', () => {
  it('are the ones architecture.md names', () => {
    expect([...new Set(FILES.map(floorOf))].filter((floor) => !(floor in MAY_IMPORT))).toEqual([]);
    expect(IMPORTS.length).toBeGreaterThan(100);
  });

  it('import only from floors below', () => {
    const upward = IMPORTS.filter((found) => !isAllowed(found));
    expect(upward.map(({ from, target }) => `${from} imports ${target}`)).toEqual([]);
  });

  it('name local files with .js and files that exist', () => {
    const local = IMPORTS.filter(({ target }) => target.includes('.ts') || target.startsWith('..'));
    expect(local.filter(({ target }) => !FILES.includes(target))).toEqual([]);
  });

  it('have no cycle of files that import values from each other', () => {
    expect(cycle()).toBeUndefined();
  });

  it('below the operators take no more of rxjs than Subject and Observable', () => {
    const values = IMPORTS.filter((found) => found.floor === 'serving' && found.target === 'rxjs');
    const names = values.filter(({ typeOnly }) => !typeOnly).flatMap((found) => found.names);
    expect(names.filter((name) => name !== 'Subject' && name !== 'Observable')).toEqual([]);
  });

  it('know prom-client as a type, and in src/prom alone', () => {
    const found = IMPORTS.filter(({ floor, target }) => target === 'prom-client' && floor !== 'demo');
    expect(found.filter(({ floor, typeOnly }) => floor !== 'prom' || !typeOnly)).toEqual([]);
  });

  it('publish nothing of the demo', () => {
    expect(IMPORTS.filter(({ floor, targetFloor }) => targetFloor === 'demo' && floor !== 'demo')).toEqual(
      [],
    );
  });
});

/** Imports go down: architecture.md §4. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const SRC = join(import.meta.dirname, '../src');

interface Import {
  readonly from: string;
  readonly room: string;
  /** A package, or a file of `src`. */
  readonly target: string;
  /** The room of a file of `src`; the package's name otherwise. */
  readonly targetRoom: string;
  readonly typeOnly: boolean;
  readonly names: readonly string[];
}

/**
 * The rooms, top to bottom: one imports from those above it and from nowhere else. A room and the rooms inside it may
 * know each other; the rule against circles holds there too.
 */
const ROOMS: readonly string[] = [
  'engine-core',
  'metric',
  'prom',
  'prom/text',
  'prom/page',
  'serving',
  'serving/catalog',
  'serving/engines',
  'serving/request',
  'serving/scheduler',
  'serving/stats-log',
  'operators',
  'router',
  'index.ts',
];

/** Beside the floors: what each of these may import, and packages; a package followed by `:type` as a type only. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  testing: [...ROOMS, 'rxjs', 'rxjs/testing', 'node:assert'],
  simulator: ['engine-core', 'serving', 'router', 'rxjs'],
  wire: ['engine-core'],
  zeromq: ['engine-core', 'serving', 'router', 'wire', 'rxjs', 'zeromq', 'node:*'],
  openai: [...ROOMS, 'rxjs', 'eventsource-parser'],
  demo: [
    'index.ts',
    'testing',
    'simulator',
    'wire',
    'zeromq',
    'openai',
    'rxjs',
    'prom-client',
    'hono',
    '@hono/node-server',
    'uplot',
    'node:*',
  ],
};

/** The packages that a floor may import. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  prom: ['prom-client:type'],
  serving: ['rxjs'],
  operators: ['rxjs'],
  router: ['rxjs'],
};

const IMPORT =
  /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)';|\bimport\(\s*'([^']+)'\s*\)/gm;

function floorOf(path: string): string {
  return path.split('/')[0]!;
}

/** The room of a file of the floors, or the folder under `src` of one beside them. */
function roomOf(path: string): string {
  const folder = path.includes('/') ? dirname(path) : path;
  return ROOMS.includes(folder) ? folder : floorOf(path);
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
    const targetRoom = local ? roomOf(file) : target;
    return { from: path, room: roomOf(path), target: file, targetRoom, typeOnly, names };
  });
}

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.ts'));
const IMPORTS = FILES.flatMap(importsOf);

/** True if `target` is allowed by a list of rooms and packages. */
function isListed(list: readonly string[], target: string, typeOnly: boolean): boolean {
  if (list.includes(target) || list.includes(floorOf(target))) return true;
  if (typeOnly && list.includes(`${target}:type`)) return true;
  return target.startsWith('node:') && list.includes('node:*');
}

function isAllowed({ room, targetRoom, typeOnly }: Import): boolean {
  if (floorOf(room) === floorOf(targetRoom)) return isInside(room, targetRoom);
  const beside = BESIDE[floorOf(room)];
  if (beside !== undefined) return isListed(beside, targetRoom, typeOnly);
  if (!ROOMS.includes(targetRoom)) return isListed(PACKAGES[floorOf(room)] ?? [], targetRoom, typeOnly);
  return ROOMS.indexOf(targetRoom) < ROOMS.indexOf(room);
}

/** Within one floor: its own files and its rooms know each other, the rooms only those above them. */
function isInside(room: string, target: string): boolean {
  return !room.includes('/') || !target.includes('/') || ROOMS.indexOf(target) <= ROOMS.indexOf(room);
}

/** The first circle of files that import each other, types included; undefined if there is none. */
function cycle(): readonly string[] | undefined {
  const done = new Set<string>();
  const visit = (path: string, trail: readonly string[]): readonly string[] | undefined => {
    if (trail.includes(path)) return [...trail, path];
    if (done.has(path)) return undefined;
    const targets = IMPORTS.filter(({ from }) => from === path);
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

describe('rooms', () => {
  it('are the ones architecture.md names', () => {
    const floors = new Set([...ROOMS.map(floorOf), ...Object.keys(BESIDE)]);
    expect([...new Set(FILES.map(floorOf))].filter((floor) => !floors.has(floor))).toEqual([]);
    const inside = FILES.filter((path) => ROOMS.includes(floorOf(path)) && path.includes('/')).map((path) =>
      dirname(path),
    );
    expect([...new Set(inside)].filter((folder) => !ROOMS.includes(folder))).toEqual([]);
    expect(IMPORTS.length).toBeGreaterThan(100);
  });

  it('import only from rooms above', () => {
    const upward = IMPORTS.filter((found) => !isAllowed(found));
    expect(upward.map(({ from, target }) => `${from} imports ${target}`)).toEqual([]);
  });

  it('name local files with .js and files that exist', () => {
    const local = IMPORTS.filter(({ target }) => target.includes('.ts') || target.startsWith('..'));
    expect(local.filter(({ target }) => !FILES.includes(target))).toEqual([]);
  });

  it('have no circle of files, types included', () => {
    expect(cycle()).toBeUndefined();
  });

  it('above the operators take no more of rxjs than Subject and Observable', () => {
    const values = IMPORTS.filter((found) => floorOf(found.room) === 'serving' && found.target === 'rxjs');
    const names = values.filter(({ typeOnly }) => !typeOnly).flatMap((found) => found.names);
    expect(names.filter((name) => name !== 'Subject' && name !== 'Observable')).toEqual([]);
  });

  it('know prom-client as a type, and in src/prom alone', () => {
    const found = IMPORTS.filter(({ room, target }) => target === 'prom-client' && room !== 'demo');
    expect(found.filter(({ room, typeOnly }) => floorOf(room) !== 'prom' || !typeOnly)).toEqual([]);
  });

  it('publish nothing of the demo', () => {
    const found = IMPORTS.filter(({ room, targetRoom }) => targetRoom === 'demo' && room !== 'demo');
    expect(found).toEqual([]);
  });
});

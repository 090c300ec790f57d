/** What a user installs: entries, types for both module systems, packed files, dependencies. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, posix } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileAll } from './support/compile.js';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, Record<string, Record<string, string>> | string>;
  files: string[];
  dependencies?: unknown;
  optionalDependencies?: unknown;
  peerDependencies: Record<string, string>;
  peerDependenciesMeta: Record<string, { optional: boolean }>;
  engines: { node: string };
};

const ENTRIES = Object.keys(PACKAGE.exports).filter((entry) => entry !== './package.json');
const FORMATS = ['esm', 'cjs'] as const;

function nameOf(entry: string): string {
  return `rx-engine-metrics${entry.slice(1)}`;
}

/** `index` for `.`, `testing/index` for `./testing`: as the sources and the build call it. */
function fileOf(entry: string): string {
  return entry === '.' ? 'index' : `${entry.slice(2)}/index`;
}

/** A project that has the package installed, as a consumer's; node resolves its peers from ours. */
let consumer: string;

function installed(): string {
  const folder = join(consumer, 'node_modules/rx-engine-metrics');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(PACKAGE));
  return folder;
}

function built(format: string, file: string): string {
  return readFileSync(join(installed(), 'dist', format, file), 'utf8');
}

function declarationsOf(entry: string): string {
  return built('esm', `${fileOf(entry)}.d.ts`);
}

/** The classes, functions and constants that an entry's declarations export. */
function declaredValues(entry: string): string[] {
  const found = declarationsOf(entry).matchAll(
    /^export declare (?:abstract )?(?:class|function|const) ([\w$]+)/gm,
  );
  return [...found].map(([, name]) => name!).sort();
}

function importsIn(text: string): string[] {
  const found = text.matchAll(/^(?:import|export)\b(?:[^'";]*? from)? ["']([^"']+)["']/gm);
  return [...found].map(([, specifier]) => specifier!);
}

/** The modules of ours that loading a module loads, itself included. */
function loadedWith(module: string, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(module)) return seen;
  seen.add(module);
  for (const target of importsIn(built('esm', module)).filter((it) => it.startsWith('.')))
    loadedWith(posix.join(posix.dirname(module), target), seen);
  return seen;
}

function run(file: string, text: string): string {
  writeFileSync(join(consumer, file), text);
  return execFileSync(process.execPath, [join(consumer, file)], { encoding: 'utf8' }).trim();
}

/** A consumer's strict program, with no more of a library than Node 20 has, and without Node's types. */
interface Program {
  readonly extension: string;
  readonly skipLibCheck: boolean;
}

const PROGRAMS: readonly Program[] = ['mts', 'cts'].flatMap((extension) =>
  [true, false].map((skipLibCheck) => ({ extension, skipLibCheck })),
);

/** What the compiler has to say of a program; our declarations and rxjs's included, unless they are skipped. */
function compilerMessages(
  { extension, skipLibCheck }: Program,
  text: string,
  libs: readonly string[] = [],
): string {
  writeFileSync(join(consumer, `typed.${extension}`), TIMER + text);
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck },
    ...{ noEmit: true, module: 'nodenext', target: 'es2022', lib: ['es2023', ...libs], types: [] },
  };
  const project = { compilerOptions, files: [`typed.${extension}`] };
  writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(project));
  const { stdout } = spawnSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', consumer], { encoding: 'utf8' });
  return stdout;
}

/** The one global that rxjs's own declarations ask for. */
const TIMER = 'declare global { function setTimeout(run: () => void, ms?: number): number; }\n';

/** Entries whose signatures name what browsers and Node have: signals, streams, answers of `fetch`. */
const WITH_WEB_TYPES: readonly string[] = ['./openai'];

/** Uses these entries. */
const usingAll = (entries: readonly string[]): string =>
  entries
    .map((entry, i) => `import * as it${i} from '${nameOf(entry)}'; export type T${i} = keyof typeof it${i};`)
    .join('\n');

/** What completion shows of the classes that hosts hold on to, and doors that are for this library alone. */
const DOORS = `
import { OpenMetricsContentType, Registry } from 'prom-client';
import { OutputRouter, ParallelSampling, ServingMetrics, renderMetrics } from 'rx-engine-metrics';
import type { CounterHandle, EngineMetrics, GaugeHandle, HistogramHandle } from 'rx-engine-metrics';
import { readSamples } from 'rx-engine-metrics/testing';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const members: [
  Same<keyof CounterHandle, 'inc' | 'value'>,
  Same<keyof GaugeHandle, 'set' | 'value'>,
  Same<keyof HistogramHandle, 'observe' | 'count' | 'sum'>,
  Same<keyof ParallelSampling, 'n' | 'close'>,
] = [true, true, true, true];

const registry = new Registry<OpenMetricsContentType>();
registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
export const metrics = new ServingMetrics({ registry, modelName: 'm', engines: undefined });
export const pages = [renderMetrics(registry), readSamples(registry)] as const;
const engine: EngineMetrics = metrics.forEngine(0);
engine.generationTokens.inc(1);
// @ts-expect-error the samples themselves
engine.generationTokens.cells;
// @ts-expect-error what becomes of a handle
engine.generationTokens.detach();
// @ts-expect-error a sample without its check
engine.timeToFirstTokenSeconds.add(1);
// @ts-expect-error how bounds are searched
engine.timeToFirstTokenSeconds.buckets;
// @ts-expect-error what the instance is made of
metrics.core;
// @ts-expect-error the end of one of several sequences
metrics.parallelSampling(2).childEnded(1);
// @ts-expect-error handles come from forEngine
new CounterHandle(new Float64Array(1));
export const router = new OutputRouter();
`;

/** What `npm pack` would send of a fresh build, with a file of the developers beside it. */
function packedFiles(): string[] {
  const cwd = installed();
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', 'biome.json'])
    writeFileSync(join(cwd, file), '');
  const out = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [pack] = JSON.parse(out) as [{ files: { path: string }[] }];
  return pack.files.map(({ path }) => path);
}

beforeAll(() => {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  consumer = mkdtempSync(join(cache, 'consumer-'));
  // A scope of its own: by our package.json the compiler would take the name for this project, and read its `dist`.
  writeFileSync(join(consumer, 'package.json'), '{}\n');
  compileAll(join(installed(), 'dist'));
}, 60_000);

afterAll(() => rmSync(consumer, { recursive: true, force: true }));

describe('the package', { timeout: 30_000 }, () => {
  it('has no runtime dependencies, rxjs as a peer, and what only some need as an optional one', () => {
    expect(PACKAGE.dependencies ?? {}).toEqual({});
    expect(PACKAGE.optionalDependencies ?? {}).toEqual({});
    expect(PACKAGE.peerDependencies).toMatchObject({ rxjs: '^7.3.0', 'prom-client': '^15.0.0' });
    const optional = Object.keys(PACKAGE.peerDependencies).filter((name) => name !== 'rxjs');
    expect(PACKAGE.peerDependenciesMeta).toEqual(
      Object.fromEntries(optional.map((name) => [name, { optional: true }])),
    );
    expect(PACKAGE.engines.node).toBe('>=20');
  });

  it('has the entries of the contract, and a folder of sources for each', () => {
    expect(ENTRIES).toEqual(expect.arrayContaining(['.', './testing', './simulator']));
    const sources = ENTRIES.map((entry) => join(ROOT, 'src', `${fileOf(entry)}.ts`));
    expect(sources.filter((file) => !existsSync(file))).toEqual([]);
  });

  it.each(ENTRIES)('names files that the build makes, types first, for both module systems: %s', (entry) => {
    const conditions = PACKAGE.exports[entry] as Record<string, Record<string, string>>;
    expect(Object.keys(conditions)).toEqual(['import', 'require']);
    for (const targets of Object.values(conditions)) {
      expect(Object.keys(targets)).toEqual(['types', 'default']);
      const files = Object.values(targets).map((path) => join(installed(), path));
      expect(files.filter((file) => !existsSync(file))).toEqual([]);
    }
  });

  it.each(ENTRIES)('loads as an ES module and as CommonJS, with what its types declare: %s', (entry) => {
    const say = "console.log(Object.keys(it).sort().join(' '));";
    const esm = run('load.mjs', `import * as it from '${nameOf(entry)}'; ${say}`);
    const cjs = run('load.cjs', `const it = require('${nameOf(entry)}'); ${say}`);
    const values = declaredValues(entry);
    expect(values.length).toBeGreaterThan(0);
    expect([esm, cjs]).toEqual([values.join(' '), values.join(' ')]);
  });

  it.each(PROGRAMS)('types a strict program that knows nothing of Node: %o', (program) => {
    const entries = ENTRIES.filter((entry) => !WITH_WEB_TYPES.includes(entry));
    expect(compilerMessages(program, usingAll(entries))).toBe('');
  });

  it.each(PROGRAMS)('types a strict program that knows the web: %o', (program) => {
    expect(compilerMessages(program, usingAll(ENTRIES), ['dom', 'dom.asynciterable'])).toBe('');
  });

  it.each(PROGRAMS)('shows in its types what is public and no more: %o', (program) => {
    expect(compilerMessages(program, DOORS)).toBe('');
  });

  it('declares each entry in one file, and a class in one of them', () => {
    const expected = ENTRIES.map((entry) => `${fileOf(entry)}.d.ts`).sort();
    for (const format of FORMATS) {
      const files = readdirSync(join(installed(), 'dist', format), { recursive: true, encoding: 'utf8' });
      expect(files.filter((file) => file.endsWith('.d.ts')).sort()).toEqual(expected);
    }
    const classes = ENTRIES.flatMap((entry) =>
      [...declarationsOf(entry).matchAll(/\bclass (\w+)/g)].map(([, name]) => name!),
    );
    expect(classes).toContain('OutputRouter');
    expect(classes.filter((name, i) => classes.indexOf(name) !== i)).toEqual([]);
  });

  it.each(ENTRIES)(
    'imports in types and code of an entry peers alone, and never prom-client: %s',
    (entry) => {
      const modules = [...loadedWith(`${fileOf(entry)}.js`)].map((module) => built('esm', module));
      const imported = [...modules, declarationsOf(entry)].flatMap(importsIn);
      const packages = imported.filter((it) => !it.startsWith('.') && !it.startsWith('node:'));
      const peers = Object.keys(PACKAGE.peerDependencies).filter((name) => name !== 'prom-client');
      expect(packages.filter((it) => !peers.includes(it.replace('rxjs/testing', 'rxjs')))).toEqual([]);
    },
  );

  it('packs the build without the demo, and what npm always takes', () => {
    const files = packedFiles();
    const outside = files.filter((path) => !path.startsWith('dist/'));
    expect(outside.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(files.filter((path) => /\/demo\/|\.test\./.test(path))).toEqual([]);
  });

  it('has as modules its entries and what they share', () => {
    const modules = packedFiles().filter((path) => path.endsWith('.js') && !path.includes('/shared/'));
    expect(modules.sort()).toEqual(
      FORMATS.flatMap((format) => ENTRIES.map((entry) => `dist/${format}/${fileOf(entry)}.js`)).sort(),
    );
  });

  it.each(ENTRIES)('loads few modules, each of which takes 0.4 ms: %s', (entry) => {
    expect(loadedWith(`${fileOf(entry)}.js`).size).toBeLessThanOrEqual(6);
  });
});

/** What a user installs: entries, types for both module systems, packed files, dependencies. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileAll } from './support/compile.js';

const ROOT = join(import.meta.dirname, '..');
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  exports: Record<string, Record<string, Record<string, string>> | string>;
  files: string[];
  dependencies?: unknown;
  optionalDependencies?: unknown;
  peerDependencies: Record<string, string>;
  engines: { node: string };
};

const ENTRIES = Object.keys(PACKAGE.exports).filter((entry) => entry !== './package.json');
/** One value that each entry exports. */
const SAMPLES: Readonly<Record<string, string>> = {
  '.': 'ServingMetrics',
  './testing': 'readSamples',
  './simulator': 'simulateEngines',
  './wire': 'EngineCoreOutputsDecoder',
  './zeromq': 'connectEngines',
};

/** A project that has the package installed, as a consumer's; node resolves its peers from ours. */
let consumer: string;

function installed(): string {
  const folder = join(consumer, 'node_modules/rx-engine-metrics');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(PACKAGE));
  return folder;
}

function run(file: string, text: string): string {
  writeFileSync(join(consumer, file), text);
  return execFileSync(process.execPath, [join(consumer, file)], { encoding: 'utf8' }).trim();
}

/** What the compiler has to say of the consumer's program, our types and rxjs's included. */
function compilerMessages(): string {
  try {
    return execFileSync(join(ROOT, 'node_modules/.bin/tsc'), ['-p', consumer], { encoding: 'utf8' });
  } catch (error) {
    return String((error as { stdout?: unknown }).stdout);
  }
}

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
  compileAll(join(installed(), 'dist'));
}, 60_000);

afterAll(() => rmSync(consumer, { recursive: true, force: true }));

describe('the package', { timeout: 30_000 }, () => {
  it('has no runtime dependencies, and rxjs and prom-client as peers', () => {
    expect(PACKAGE.dependencies ?? {}).toEqual({});
    expect(PACKAGE.optionalDependencies ?? {}).toEqual({});
    expect(PACKAGE.peerDependencies).toMatchObject({ rxjs: '^7.3.0', 'prom-client': '^15.0.0' });
    expect(PACKAGE.engines.node).toBe('>=20');
  });

  it('has the entries of the contract', () => {
    expect(ENTRIES).toEqual(expect.arrayContaining(['.', './testing', './simulator']));
    expect(ENTRIES.filter((entry) => !(entry in SAMPLES))).toEqual([]);
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

  it.each(ENTRIES)('loads as an ES module and as CommonJS: %s', (entry) => {
    const name = `rx-engine-metrics${entry.slice(1)}`;
    const sample = SAMPLES[entry]!;
    const esm = `import { ${sample} as it } from '${name}'; console.log(typeof it);`;
    const cjs = `const { ${sample}: it } = require('${name}'); console.log(typeof it);`;
    expect([run('load.mjs', esm), run('load.cjs', cjs)]).toEqual(['function', 'function']);
  });

  it.each(['mts', 'cts'])('types a strict program in both module systems: %s', (extension) => {
    const lines = ENTRIES.map((entry, i) => {
      const name = `rx-engine-metrics${entry.slice(1)}`;
      return `import { ${SAMPLES[entry]!} as it${i} } from '${name}'; export type T${i} = typeof it${i};`;
    });
    writeFileSync(join(consumer, `typed.${extension}`), lines.join('\n'));
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', target: 'es2022' };
    const project = { compilerOptions, files: [`typed.${extension}`] };
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(project));
    expect(compilerMessages()).toBe('');
  });

  it('packs the build without the demo, and what npm always takes', () => {
    const files = packedFiles();
    const outside = files.filter((path) => !path.startsWith('dist/'));
    expect(outside.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
    expect(files.filter((path) => /\/demo\/|\.test\./.test(path))).toEqual([]);
  });

  it('has few modules, each of which takes 0.4 ms to load: its entries and what they share', () => {
    const modules = packedFiles().filter((path) => path.endsWith('.js'));
    const ofEach = ['index', 'shared/number-format', 'simulator/index', 'testing/index'];
    expect(modules.sort()).toEqual(
      ['cjs', 'esm'].flatMap((kind) => ofEach.map((it) => `dist/${kind}/${it}.js`)),
    );
  });
});

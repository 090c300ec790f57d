/** The package as a user gets it: packed, installed from the tarball into a project of its own, used. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { output, ROOT, run, temporaryFolder } from './processes.js';

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

const folder = temporaryFolder('rx-consumer');
const project = folder.path;
afterAll(() => folder.remove());

/** A package that `npm ci` installed, and all that it needs: as folders. */
function installed(name: string, found: Set<string> = new Set()): Set<string> {
  const path = join(ROOT, 'node_modules', name);
  if (found.has(path)) return found;
  found.add(path);
  const { dependencies = {} } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8')) as Manifest;
  for (const dependency of Object.keys(dependencies)) installed(dependency, found);
  return found;
}

/** Packs a folder into the project; gives the tarball's name. */
async function pack(path: string, ...options: string[]): Promise<string> {
  const args = ['pack', '--silent', '--pack-destination', project, ...options, path];
  const printed = await output('npm', args);
  return printed.trim().split('\n').at(-1)!;
}

/** The peers as tarballs too, so that npm needs no registry. */
async function install(): Promise<void> {
  const peers = [...installed('rxjs'), ...installed('prom-client'), ...installed('@types/node')];
  const tarballs = await Promise.all(peers.map((path) => pack(path, '--ignore-scripts')));
  tarballs.push(await pack(ROOT));
  writeFileSync(join(project, 'package.json'), '{"name":"consumer","private":true}');
  const options = ['install', '--offline', '--no-audit', '--no-fund', '--strict-peer-deps'];
  await output('npm', [...options, ...tarballs.map((file) => `./${file}`)], { cwd: project });
}

beforeAll(install);

const PROGRAM = `
const registry = new Registry();
const metrics = new ServingMetrics({ registry, modelName: 'm', engines: [0] });
const fleet = simulateEngines({
  engines: 1,
  seed: 1,
  scheduler: new VirtualTimeScheduler(),
  requests: [{ requestId: 'a', numPromptTokens: 4, numOutputTokens: 2 }],
});
new Observable<EngineCoreStreamOutput>((subscriber) => {
  subscriber.next(engineOutput(2, { timestamp: 1, finishReason: 'stop' }));
}).pipe(tagEngine(0), withRequestMetrics(metrics, { numPromptTokens: 3 })).subscribe();
readSamples(registry).then(async (samples) => {
  const stop = samples.get('vllm:request_success_total{engine="0",finished_reason="stop",model_name="m"}');
  const page = await renderMetrics(registry);
  console.log(stop, page.includes('finished_reason="stop",model_name="m"} 1.0'), fleet.engines);
});
`;

const IMPORTS: readonly (readonly [names: string, from: string])[] = [
  ['Registry', 'prom-client'],
  ['Observable, VirtualTimeScheduler', 'rxjs'],
  ['ServingMetrics, renderMetrics, tagEngine, withRequestMetrics', 'rx-engine-metrics'],
  ['engineOutput, readSamples', 'rx-engine-metrics/testing'],
  ['simulateEngines', 'rx-engine-metrics/simulator'],
];

/** The program without its types, after the given lines. */
function javaScript(lines: readonly string[]): string {
  return lines.join('\n') + PROGRAM.replace('<EngineCoreStreamOutput>', '');
}

async function runProgram(file: string, text: string): Promise<string> {
  writeFileSync(join(project, file), text);
  return (await output(process.execPath, [file], { cwd: project })).trim();
}

describe('the installed package', () => {
  it('holds the build, readme, licence and changelog, and nothing else', () => {
    const path = join(project, 'node_modules/rx-engine-metrics');
    const files = ['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'package.json'];
    expect(readdirSync(path).sort()).toEqual(files);
    expect(readdirSync(join(path, 'dist')).sort()).toEqual(['cjs', 'esm']);
    expect(readdirSync(join(path, 'dist/esm'))).not.toContain('demo');
    expect(readdirSync(join(path, 'dist/cjs'))).not.toContain('demo');
  });

  it('runs as ES modules, all three entries', async () => {
    const lines = IMPORTS.map(([names, from]) => `import { ${names} } from '${from}';`);
    expect(await runProgram('run.mjs', javaScript(lines))).toBe('1 true [ 0 ]');
  });

  it('runs as CommonJS, all three entries', async () => {
    const lines = IMPORTS.map(([names, from]) => `const { ${names} } = require('${from}');`);
    expect(await runProgram('run.cjs', javaScript(lines))).toBe('1 true [ 0 ]');
  });

  it('shares its families between the two builds in one process', async () => {
    const text = `
      import { createRequire } from 'node:module';
      import { Registry } from 'prom-client';
      import { ServingMetrics } from 'rx-engine-metrics';
      const other = createRequire(import.meta.url)('rx-engine-metrics');
      const registry = new Registry();
      const build = (Class) => new Class({ registry, modelName: 'm' }).forEngine(0).generationTokens;
      build(ServingMetrics).inc(1);
      build(other.ServingMetrics).inc(2);
      const page = await registry.metrics();
      console.log(ServingMetrics === other.ServingMetrics, /^vllm:generation_tokens_total.* 3$/m.test(page));`;
    expect(await runProgram('both.mjs', text)).toBe('false true');
  });

  it.each([
    ['ES modules', 'mts', 'nodenext'],
    ['CommonJS', 'cts', 'nodenext'],
    ['a bundler', 'ts', 'preserve'],
  ])('is typed, its own types checked too, for %s', async (_, extension, module) => {
    const lines = IMPORTS.map(([names, from]) => `import { ${names} } from '${from}';`);
    lines.push(`import type { EngineCoreStreamOutput } from 'rx-engine-metrics';`);
    writeFileSync(join(project, `typed.${extension}`), lines.join('\n') + PROGRAM);
    const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false, noEmit: true };
    const compilerOptions = { ...strict, module, target: 'es2022', types: ['node'] };
    writeFileSync(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: [`typed.${extension}`] }),
    );
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const { code, stdout } = await run(process.execPath, [tsc, '-p', project], { cwd: project });
    expect([code, stdout]).toEqual([0, '']);
  });
});

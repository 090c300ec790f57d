/** A project beside ours that has the package installed, and compiles what the documents show. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { compileAll, temporaryFolder } from '../support/compile.js';

const ROOT = resolve(import.meta.dirname, '../..');

/** What the recipes take as given. */
const GIVEN = `
import type { Observable } from 'rxjs';
import type { Registry } from 'prom-client';
import type { EngineCoreStreamOutput, OutputRouter, ServingMetrics } from 'rx-engine-metrics';
declare global {
  const registry: Registry;
  const metrics: ServingMetrics;
  const router: OutputRouter;
  const outputs$: Observable<EngineCoreStreamOutput>;
}`;

export interface Consumer {
  readonly path: string;
  /** Compiles files of TypeScript, by name; gives what the compiler says of them. */
  compile(files: Readonly<Record<string, string>>): string;
  remove(): void;
}

export function consumer(): Consumer {
  const { path, remove } = temporaryFolder('readme');
  const installed = join(path, 'node_modules/rx-engine-metrics');
  mkdirSync(installed, { recursive: true });
  writeFileSync(join(installed, 'package.json'), readFileSync(join(ROOT, 'package.json')));
  compileAll(join(installed, 'dist'));
  const compilerOptions = {
    ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
    // Frameworks' declarations are theirs; ours are checked by test/package.test.ts.
    ...{ module: 'nodenext', target: 'es2022', types: ['node'], skipLibCheck: true },
  };
  writeFileSync(join(path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
  const compile: Consumer['compile'] = (files) => {
    rmSync(join(path, 'src'), { recursive: true, force: true });
    mkdirSync(join(path, 'src'));
    const all = { 'given.d.ts': GIVEN, ...files };
    for (const [file, text] of Object.entries(all)) writeFileSync(join(path, 'src', file), text);
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    return spawnSync(process.execPath, [tsc, '-p', path], { cwd: path, encoding: 'utf8' }).stdout;
  };
  return { path, compile, remove };
}

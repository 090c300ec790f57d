/** Compiles `src` into a folder: what plain node runs in a child process, whatever the state of `dist`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

function tsc(project: string, outDir: string): void {
  const bin = join(ROOT, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(bin, ['-p', join(ROOT, project), '--outDir', outDir], { encoding: 'utf8' });
  // Types are the business of `npm run check`: what could be emitted is what runs here.
  if (!existsSync(join(outDir, 'index.js'))) throw new Error(`tsc -p ${project}:\n${stdout}`);
}

/** The build for ES modules, in `folder`. */
export function compileEsm(folder: string): void {
  tsc('src/tsconfig.json', folder);
}

/** The whole build as `npm run build` makes it: `esm` and `cjs` in `folder`. */
export function compileAll(folder: string): void {
  compileEsm(join(folder, 'esm'));
  tsc('src/tsconfig.cjs.json', join(folder, 'cjs'));
  writeFileSync(join(folder, 'cjs/package.json'), '{"type":"commonjs"}\n');
}

/** A new folder inside the project, so that node finds the peers from it, and its removal. */
export function temporaryFolder(name: string): { readonly path: string; remove(): void } {
  const cache = join(ROOT, 'node_modules/.cache');
  mkdirSync(cache, { recursive: true });
  const path = mkdtempSync(join(cache, `${name}-`));
  // Not the package's own package.json: `type` has to be said for files outside of it.
  writeFileSync(join(path, 'package.json'), '{"type":"module"}\n');
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Compiles `src` into a folder: what plain node runs in a child process, whatever the state of `dist`. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

function run(tool: string, ...args: readonly string[]): string {
  const { stdout, stderr } = spawnSync(join(ROOT, 'node_modules/.bin', tool), args, {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return `${tool} ${args.join(' ')}:\n${stdout}${stderr}`;
}

function expectFile(path: string, said: string): void {
  // Types are the business of `npm run check`: what could be emitted is what runs here.
  if (!existsSync(path)) throw new Error(said);
}

/** Each module of `src` as an ES module of its own, in `folder`. */
export function compileEsm(folder: string): void {
  const said = run('tsc', '-p', 'src/tsconfig.json', '--outDir', folder);
  expectFile(join(folder, 'index.js'), said);
}

/** The whole build as `npm run build` makes it: `esm` and `cjs` in `folder`. */
export function compileAll(folder: string): void {
  const said = run('vite', 'build', '-c', 'src/vite.config.mjs', '--outDir', folder);
  for (const format of ['esm', 'cjs'])
    for (const file of ['index.js', 'index.d.ts']) expectFile(join(folder, format, file), said);
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

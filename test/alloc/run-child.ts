/** Plain node on a compiled copy of the package: vitest's own transforms and hooks would be measured with it. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { compileEsm, temporaryFolder } from '../support/compile.js';

/** Holds all that the longest run allocates, so that no scavenge comes between its two readings. */
const FLAGS = ['--expose-gc', '--max-semi-space-size=256', '--min-semi-space-size=256'];

/** Compiles the package before a file's tests; gives what runs a script of `child/` and reads its answer. */
export function compiledPackage(): <T>(script: string) => T {
  const folder = temporaryFolder('alloc');
  beforeAll(() => compileEsm(folder.path), 60_000);
  afterAll(() => folder.remove());
  return <T>(script: string) => {
    const path = join(import.meta.dirname, 'child', script);
    const out = execFileSync(process.execPath, [...FLAGS, path, folder.path], { encoding: 'utf8' });
    return JSON.parse(out) as T;
  };
}

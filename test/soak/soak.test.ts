/** A short run of `npm run soak`, compiled and under plain node as that one is. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const TIMEOUT_MS = 120_000;

/** A folder of its own: `npm run soak` may be running. */
const OUT = join(ROOT, 'node_modules/.cache/soak-test');

function run(
  command: string,
  ...args: readonly string[]
): { readonly output: string; readonly status: number | null } {
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: ROOT, encoding: 'utf8' });
  return { output: `${stdout}\n${stderr}`, status };
}

describe('npm run soak', () => {
  it(
    'loses nothing and keeps the heap flat over 100,000 requests',
    () => {
      mkdirSync(OUT, { recursive: true });
      writeFileSync(join(OUT, 'package.json'), '{"type":"module"}\n');
      run(join(ROOT, 'node_modules/.bin/tsc'), '-p', 'test/soak/tsconfig.json', '--outDir', OUT);
      const main = join(OUT, 'test/soak/main.js');
      const { output, status } = run(process.execPath, '--expose-gc', main, '--requests', '100000');
      expect(output).toContain('nothing lost');
      expect(status, output).toBe(0);
    },
    TIMEOUT_MS,
  );
});

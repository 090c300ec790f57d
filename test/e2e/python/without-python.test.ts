/** A machine that lacks what the tests of this folder need: they are skipped, and it says why. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exit, ROOT, run, temporaryFolder } from '../processes.js';
import { whyNoPython } from './describe-with-python.js';

const MISSING = "No module named 'zmq'";

interface Report {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
}

describe('the tests with Python', () => {
  const folder = temporaryFolder('without-python');
  const reportFile = join(folder.path, 'report.json');
  let exit: Exit;

  beforeAll(async () => {
    // It is found before Debian's.
    writeFileSync(join(folder.path, 'zmq.py'), `raise ModuleNotFoundError("${MISSING}")\n`);
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`];
    const others = ['--exclude', '**/without-python.test.ts', 'test/e2e/python/'];
    const env = { ...process.env, PYTHONPATH: folder.path };
    exit = await run('npx', ['vitest', 'run', ...reporters, ...others], { cwd: ROOT, env });
  });

  afterAll(() => folder.remove());

  it('are skipped, all of them, if a package is missing', () => {
    expect(exit.code).toBe(0);
    const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
    expect(report.numTotalTests).toBeGreaterThan(10);
    expect(report).toMatchObject({
      numPassedTests: 0,
      numFailedTests: 0,
      numPendingTests: report.numTotalTests,
    });
  });

  it('say so', () => {
    expect(exit.stderr).toContain(`skipped: traffic of engines in Python: ModuleNotFoundError: ${MISSING}`);
    expect(exit.stderr).toContain(`skipped: a frontend in Python: ModuleNotFoundError: ${MISSING}`);
  });

  it('are skipped without any Python, too', () => {
    expect(whyNoPython('/nowhere/python3')).toContain('ENOENT');
  });
});

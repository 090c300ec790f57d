/** Tests that need Debian's Python with its zmq and msgpack, for the programs beside this file. */
import { spawnSync } from 'node:child_process';
import { describe } from 'vitest';

/** Debian's own, for which its packages are; another python3 may come first on the path. */
export const PYTHON = '/usr/bin/python3';

/** Why the programs cannot run here; undefined if they can. */
export function whyNoPython(python: string = PYTHON): string | undefined {
  const { status, stderr, error } = spawnSync(python, ['-c', 'import msgpack, zmq'], { encoding: 'utf8' });
  return status === 0 ? undefined : (error?.message ?? stderr.trim().split('\n').at(-1));
}

/** As vitest's `describe`; where Python or a package is missing the tests are skipped, and the reason is printed. */
export function describeWithPython(name: string, body: () => void): void {
  const reason = whyNoPython();
  if (reason !== undefined)
    console.warn(`skipped: ${name}: ${reason}. Debian's packages are python3-zmq and python3-msgpack.`);
  describe.skipIf(reason !== undefined)(name, body);
}

/** The tests that Stryker runs against each mutant: those of the mutated floor, in one process. */
import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** A floor of `src`, or a room of it (`serving/request`): all the floor's tests run, since rooms show in each other's. */
const floor: string = (process.env['FLOOR'] ?? '*').split('/')[0]!;

/** Floors whose work shows in the tests of others: what is recorded, through the operators; what is on a page. */
const TESTED_BY: Readonly<Record<string, readonly string[]>> = {
  operators: ['operators', 'bug-reports/requests'],
  serving: ['serving', 'operators', 'conformance/scrapes', 'conformance/worked-examples', 'bug-reports'],
  prom: ['prom', 'conformance/scrapes', 'conformance/worked-examples', 'bug-reports'],
};

const tested: readonly string[] = TESTED_BY[floor] ?? [floor];

/** Rules of malformed input, one by one; the random ones beside them take too long to run for each mutant. */
const AND_BY: readonly string[] = floor === 'serving' ? ['test/malformed/rules/*.test.ts'] : [];

// They compile the package and run it in other processes, where no mutant is active.
const OTHER_PROCESSES: readonly string[] = [
  'test/serving/registry/two-copies.test.ts',
  'test/prom/runtimes.test.ts',
];

// It reads what the sources say, which Stryker prints in its own way.
const OF_SOURCE_TEXT = 'test/serving/diagnostics.test.ts';

const config: ViteUserConfig = defineConfig({
  test: {
    include: [...tested.map((folder) => `test/${folder}/**/*.test.ts`), ...AND_BY],
    exclude: [...OTHER_PROCESSES, OF_SOURCE_TEXT],
    // Mutants run beside each other, some of them for ever: Stryker's own limit ends those.
    testTimeout: 30_000,
    // Importing the tests takes longer than running them: once per mutant, not once per file.
    isolate: false,
  },
});

export default config;

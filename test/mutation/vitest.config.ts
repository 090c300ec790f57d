/** The tests that Stryker runs against each mutant: those in one process, and fast enough to be run thousands of times. */
import { defineConfig, type ViteUserConfig } from 'vitest/config';

const FOLDERS: readonly string[] = [
  'metric',
  'prom',
  'serving',
  'operators',
  'engine-core',
  'bug-reports',
  'golden',
  'contract',
  'mutation',
];

// They compile the package and run it in other processes, where no mutant is active.
const OTHER_PROCESSES: readonly string[] = ['test/serving/two-copies.test.ts', 'test/prom/runtimes.test.ts'];

const config: ViteUserConfig = defineConfig({
  test: {
    include: FOLDERS.map((folder) => `test/${folder}/**/*.test.ts`),
    exclude: [...OTHER_PROCESSES],
  },
});

// biome-ignore lint/style/noDefaultExport: the only way vitest takes a configuration.
export default config;

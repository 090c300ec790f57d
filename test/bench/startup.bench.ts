/** What a new engine and the import of the package cost. */
import { execFileSync } from 'node:child_process';
import { Registry } from 'prom-client';
import { ServingMetrics } from '../../src/serving/serving-metrics.js';
import { report, spreadOf, timed } from './harness.js';

/** Milliseconds to resolve all series of each of 64 engines, the process's first ones included. */
function newEngines(): number[] {
  const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm' });
  return Array.from({ length: 64 }, (_, engine) => timed(() => metrics.forEngine(engine)) / 1e6);
}

/** Milliseconds the import takes once rxjs is there, in a fresh process. */
function importTime(): number {
  const entry = new URL('../../../dist/esm/index.js', import.meta.url).href;
  const program =
    `await import('rxjs'); const start = performance.now(); await import(${JSON.stringify(entry)}); ` +
    'console.log(performance.now() - start);';
  return Number(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }));
}

const engines = newEngines();
const imports = spreadOf(Array.from({ length: 15 }, importTime));
report([
  {
    what: 'resolving a new engine (all series)',
    measured: `${spreadOf(engines).median.toFixed(2)} ms, the first one ${engines[0]!.toFixed(2)} ms`,
    target: '≤ 1 ms',
    met: spreadOf(engines).median <= 1,
  },
  {
    what: '`import` of the package over `import` of rxjs',
    measured: `${imports.median.toFixed(1)} ms (${imports.min.toFixed(1)}–${imports.max.toFixed(1)})`,
    target: '≤ 10 ms',
    met: imports.median <= 10,
  },
]);

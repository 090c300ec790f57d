/** The first page of a fresh process: prints its milliseconds. Arguments: `ours` or `theirs`, and the engines. */
import { renderMetrics } from '../../../src/prom/page/render.js';
import { ourRegistry, theirRegistry } from './page-workload.js';

const [kind, engines] = process.argv.slice(2);
const ours = ourRegistry(Number(engines));
const registry = kind === 'ours' ? ours : theirRegistry(ours);
// A scraper comes seconds after the start. V8's compilers would be busy with the set-up's code until here, and on two
// cores take the page's time.
await new Promise((resolve) => setTimeout(resolve, 250));
const start = performance.now();
const page = kind === 'ours' ? await renderMetrics(registry) : await registry.metrics();
const spent = performance.now() - start;
if (page.length < 1000) throw new Error(`first page: expected a page, got ${page.length} characters`);
console.log(spent);

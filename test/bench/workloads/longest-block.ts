/**
 * The longest event-loop blocks of scrapes, in a process that has nothing but our registry. Argument: the engines.
 * Prints JSON: `first`, `text` and `chunks` in ms, in the order of their scrapes.
 */
import type { Registry } from 'prom-client';
import { metricsChunks, renderMetrics } from '../../../src/prom/page/render.js';
import { move, ourRegistry } from './page-workload.js';

/** The longest time between two turns of the event loop while `body` runs, in ms. */
async function longestBlock(body: () => Promise<unknown>): Promise<number> {
  let running = true;
  let longest = 0;
  let last = performance.now();
  const turn = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(turn);
  };
  setImmediate(turn);
  await body();
  running = false;
  turn();
  return longest;
}

async function readChunks(registry: Registry): Promise<void> {
  for await (const chunk of metricsChunks(registry))
    if (chunk.byteLength === 0) throw new Error('empty chunk');
}

const registry = ourRegistry(Number(process.argv[2]));
await new Promise((resolve) => setTimeout(resolve, 250)); // as in first-page.ts
const first = await longestBlock(() => renderMetrics(registry));
const [text, chunks]: [number[], number[]] = [[], []];
for (let i = 0; i < 20; i++) {
  move(registry, 1);
  text.push(await longestBlock(() => renderMetrics(registry)));
  move(registry, 1);
  chunks.push(await longestBlock(() => readChunks(registry)));
}
console.log(JSON.stringify({ first, text, chunks }));

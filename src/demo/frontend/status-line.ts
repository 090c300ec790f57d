import { clockTime, percent, whole } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';
import type { LiveServing } from './live-serving.js';

const REWRITE_MS = 1000;
/** Off a terminal each is a new line. */
const PLAIN_MS = 10_000;

/** How the fleet is, on one line of a terminal. */
export function statusLine({ fleet, finished, metrics }: LiveServing, elapsedMs: number): string {
  const engines = fleet.indexes.map((index) => fleet.statusOf(index));
  const running = engines.reduce((sum, engine) => sum + engine.running, 0);
  const usage = engines.reduce((sum, { kvCacheUsage }) => sum + kvCacheUsage, 0);
  return [
    clockTime(elapsedMs),
    `${whole(engines.length)} engines`,
    `${whole(running)} running`,
    `${whole(fleet.numWaiting)} waiting`,
    `${whole(metrics.inFlight)} live`,
    `${whole(finished.count)} ended`,
    `${whole(finished.numAborted)} aborted`,
    `KV ${percent(engines.length === 0 ? 0 : usage / engines.length)}`,
  ].join('  ');
}

/** Shows it until the returned function is called. */
export function showStatus(serving: LiveServing, terminal: Terminal): () => void {
  const start = performance.now();
  const show = () => terminal.progress(statusLine(serving, performance.now() - start));
  const timer = setInterval(show, terminal.isTTY ? REWRITE_MS : PLAIN_MS);
  return () => {
    clearInterval(timer);
    terminal.clear();
  };
}

import type { Replay } from '../run/replay.js';
import { clockTime, percent, whole } from '../terminal/format.js';
import type { Terminal } from '../terminal/terminal.js';

const REWRITE_MS = 250;
/** Off a terminal each is a new line. */
const PLAIN_MS = 10_000;

/** How far a replay is, on one line of a terminal. */
export function progressLine({ trace, record, fleet, playback, metrics }: Replay): string {
  const total = trace.numRequests;
  const engines = fleet.engines.map((index) => fleet.snapshot(index));
  const sum = (count: (engine: (typeof engines)[number]) => number) =>
    engines.reduce((all, engine) => all + count(engine), 0);
  const usage = sum(({ numUsedKvBlocks, numKvBlocks }) => numUsedKvBlocks / numKvBlocks) / engines.length;
  return [
    `${clockTime(playback.now())} ${percent(record.finished / total)}`,
    `${whole(record.finished)}/${whole(total)} ended`,
    `${whole(record.numAborted)} aborted`,
    `${whole(metrics.inFlight)} live`,
    `${whole(sum(({ numPreemptions }) => numPreemptions))} preempted`,
    `KV ${percent(usage)}`,
  ].join('  ');
}

/** Shows progress until the returned function is called. */
export function showProgress(replay: Replay, terminal: Terminal): () => void {
  const show = () => terminal.progress(progressLine(replay));
  const timer = setInterval(show, terminal.isTTY ? REWRITE_MS : PLAIN_MS);
  return () => {
    clearInterval(timer);
    terminal.clear();
  };
}

import { setTimeout } from 'node:timers/promises';
import type { DemoOptions } from './command/options.js';
import { EXIT_CUT_SHORT, EXIT_INTERRUPTED } from './exit-codes.js';
import type { Fleet } from './fleet/fleet.js';
import { LiveServing } from './frontend/live-serving.js';
import { showStatus } from './frontend/status-line.js';
import { TraceLoad } from './frontend/trace-load.js';
import { report } from './report/report.js';
import { counted, whole } from './terminal/format.js';
import { onInterrupt } from './terminal/interrupt.js';
import type { Terminal } from './terminal/terminal.js';
import type { Trace } from './trace/trace.js';

const LOOK_MS = 50;

/** Sends a trace and sees its last request end; `false` if it was stopped, or ran out of engines. */
async function replay(
  { fleet, metrics }: LiveServing,
  load: TraceLoad,
  isCut: () => boolean,
): Promise<boolean> {
  const losses = fleet.lost$.subscribe(() => {
    if (!fleet.isServing) load.stop();
  });
  await load.run();
  while (metrics.inFlight > 0 && !isCut()) await setTimeout(LOOK_MS);
  losses.unsubscribe();
  return load.isComplete;
}

type End = 'complete' | 'interrupted' | 'without engines';

/** The replay, with a status line, until it ends or the user ends it. The engines are let go of. */
async function watched(serving: LiveServing, load: TraceLoad, terminal: Terminal): Promise<End> {
  let wasCut = false;
  const release = onInterrupt(() => {
    wasCut = true;
    load.stop();
  });
  const hideStatus = showStatus(serving, terminal);
  try {
    const isComplete = await replay(serving, load, () => wasCut);
    if (wasCut) return 'interrupted';
    return isComplete ? 'complete' : 'without engines';
  } finally {
    hideStatus();
    release();
    await serving.stop();
  }
}

/**
 * Replays the trace once, at `--speed`, on engines that keep their own time. One that dies takes its requests with it,
 * the others go on. Returns the exit code.
 */
export async function replayConnected(
  trace: Trace,
  fleet: Fleet,
  options: DemoOptions,
  terminal: Terminal,
): Promise<number> {
  const serving = new LiveServing(fleet, options);
  const start = performance.now();
  const end = await watched(serving, new TraceLoad(trace, serving, options), terminal);
  const { record, registry } = serving;
  const requests = `${whole(record.submitted)} of ${whole(trace.numRequests)} requests`;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const engines = counted(record.engines.size, 'engine');
  const headline = `Replayed ${requests} through ${engines} of other processes in ${seconds} s`;
  const code = await report({ headline, registry, record }, terminal, options.out);
  if (end === 'interrupted') return EXIT_INTERRUPTED;
  return end === 'complete' ? code : EXIT_CUT_SHORT;
}

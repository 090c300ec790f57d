import type { DemoOptions } from './command/options.js';
import { EXIT_INTERRUPTED } from './exit-codes.js';
import { showProgress } from './report/progress.js';
import { assertWritable, report } from './report/report.js';
import { Replay } from './run/replay.js';
import { clockTime, counted, whole } from './terminal/format.js';
import { onInterrupt } from './terminal/interrupt.js';
import type { Terminal } from './terminal/terminal.js';
import type { Trace } from './trace/trace.js';

/** Replays the trace in virtual time, with a progress line, until it or the user ends it. Returns the exit code. */
export async function replayOnce(trace: Trace, options: DemoOptions, terminal: Terminal): Promise<number> {
  const replay = new Replay(trace, options);
  let wasCut = false;
  const release = onInterrupt(() => {
    wasCut = true;
    replay.stop();
  });
  const start = performance.now();
  const hideProgress = showProgress(replay, terminal);
  try {
    if (options.out !== undefined) assertWritable(options.out);
    await replay.run();
  } finally {
    hideProgress();
    release();
  }
  const { record, registry, fleet, playback } = replay;
  const requests = `${whole(record.submitted)} of ${whole(trace.numRequests)} requests`;
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const times = `${clockTime(playback.now())} of trace time in ${seconds} s`;
  const headline = `Replayed ${requests} through ${counted(fleet.engines.length, 'engine')}, ${times}`;
  const code = await report({ headline, registry, record }, terminal, options.out);
  return wasCut ? EXIT_INTERRUPTED : code;
}

import { statsLog } from '../index.js';
import { helpLines } from './command/help.js';
import type { DemoOptions } from './command/options.js';
import { parseOptions } from './command/parse-options.js';
import { Frontend } from './frontend/frontend.js';
import { showStatus } from './frontend/status-line.js';
import { showProgress } from './report/progress.js';
import { assertWritable, report } from './report/report.js';
import { Replay } from './run/replay.js';
import { clockTime, whole } from './terminal/format.js';
import { onInterrupt } from './terminal/interrupt.js';
import { wrapped } from './terminal/layout.js';
import type { Terminal } from './terminal/terminal.js';
import { readTrace } from './trace/read-trace.js';
import type { Trace } from './trace/trace.js';
import { defaultTrace } from './trace/trace-file.js';

/** The shell's own for Ctrl-C: a part of a trace must not pass for all of it where `--once` is a check. */
const EXIT_INTERRUPTED = 130;

function numEngines(count: number): string {
  return `${whole(count)} ${count === 1 ? 'engine' : 'engines'}`;
}

/** Replays the trace in virtual time, with a progress line, until it or the user ends it. Returns the exit code. */
async function replayOnce(trace: Trace, options: DemoOptions, terminal: Terminal): Promise<number> {
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
  const headline = `Replayed ${requests} through ${numEngines(fleet.engines.length)}, ${times}`;
  const code = await report({ headline, registry, record }, terminal, options.out);
  return wasCut ? EXIT_INTERRUPTED : code;
}

/** Every ten seconds, as a server's log has it. */
function logStats({ serving }: Frontend, terminal: Terminal): () => void {
  const log = statsLog(serving.metrics).subscribe(({ level, lines }) => {
    const time = new Date().toTimeString().slice(0, 8);
    if (level === 'info') terminal.print(lines.map((line) => `${time} ${line}`));
  });
  return () => log.unsubscribe();
}

/** Serves until the user ends it. Returns the exit code. */
async function serve(trace: Trace, options: DemoOptions, terminal: Terminal): Promise<number> {
  const frontend = new Frontend(trace, options);
  const { registry, record } = frontend.serving;
  if (options.out !== undefined) assertWritable(options.out);
  const url = await frontend.start();
  const release = onInterrupt(() => frontend.stop());
  const start = performance.now();
  const stopLog = logStats(frontend, terminal);
  const hideStatus = showStatus(frontend.serving, terminal);
  try {
    terminal.print(
      wrapped([`Open ${url}/ in a browser; OpenAI clients find their API on ${url}/v1`], terminal.width),
    );
    terminal.print(wrapped([`Serving ${url}/metrics, Ctrl-C ends it`], terminal.width));
    await frontend.run();
  } finally {
    hideStatus();
    stopLog();
    release();
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const headline = `Served ${whole(record.submitted)} requests through ${numEngines(record.engines.size)} in ${seconds} s`;
  return report({ headline, registry, record }, terminal, options.out);
}

/** The whole demo. Returns the exit code. @throws {UsageError} for what the user can put right. */
export async function runDemo(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseOptions(args);
  if (options.help) {
    terminal.print(helpLines(terminal.width));
    return 0;
  }
  const trace = await readTrace(options.trace ?? defaultTrace());
  return options.once ? replayOnce(trace, options, terminal) : serve(trace, options, terminal);
}

import { statsLog } from '../index.js';
import { helpLines } from './command/help.js';
import type { DemoOptions } from './command/options.js';
import { parseOptions } from './command/parse-options.js';
import { showProgress } from './report/progress.js';
import { assertWritable, report } from './report/report.js';
import { Replay } from './run/replay.js';
import { clockTime } from './terminal/format.js';
import { onInterrupt } from './terminal/interrupt.js';
import { serveMetrics } from './terminal/server.js';
import type { Terminal } from './terminal/terminal.js';
import { readTrace } from './trace/read-trace.js';
import { defaultTrace } from './trace/trace-file.js';

/** Milliseconds of the wall clock between two lines of the stats log. */
const STATS_LOG_MS = 10_000;

/** The shell's own for Ctrl-C: a part of a trace must not pass for all of it where `--once` is a check. */
const EXIT_INTERRUPTED = 130;

/** Runs, with a progress line, until the trace or the user ends it. Returns the exit code. */
async function runToEnd(replay: Replay, speed: number, terminal: Terminal, out?: string): Promise<number> {
  const start = performance.now();
  const hideProgress = showProgress(replay, terminal);
  try {
    await replay.run(speed);
  } finally {
    hideProgress();
  }
  return report(replay, terminal, performance.now() - start, out);
}

/** The figures are in trace time, so the interval is too: every 10 s at any speed. */
function logStats({ metrics, playback }: Replay, speed: number, terminal: Terminal): () => void {
  const { scheduler } = playback;
  const log = statsLog(metrics, { every: STATS_LOG_MS * speed, scheduler });
  const subscription = log.subscribe(({ level, lines }) => {
    if (level === 'info') terminal.print(lines.map((line) => `${clockTime(playback.now())} ${line}`));
  });
  return () => subscription.unsubscribe();
}

async function serveReplay(replay: Replay, options: DemoOptions, terminal: Terminal): Promise<number> {
  const { speed, host, port, out } = options;
  const server = await serveMetrics(replay.registry, host, port);
  const stopLog = logStats(replay, speed, terminal);
  try {
    terminal.print([`Serving ${server.url} while the trace runs, Ctrl-C ends it`]);
    return await runToEnd(replay, speed, terminal, out);
  } finally {
    stopLog();
    await server.close();
  }
}

/** The whole demo. Returns the exit code. @throws {UsageError} for what the user can put right. */
export async function runDemo(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseOptions(args);
  if (options.help) {
    terminal.print(helpLines(terminal.width));
    return 0;
  }
  const { trace, out, once } = options;
  const replay = new Replay(await readTrace(trace ?? defaultTrace()), options);
  let wasCut = false;
  const release = onInterrupt(() => {
    wasCut = once;
    replay.stop();
  });
  try {
    if (out !== undefined) assertWritable(out);
    const code = await (once
      ? runToEnd(replay, Infinity, terminal, out)
      : serveReplay(replay, options, terminal));
    return wasCut ? EXIT_INTERRUPTED : code;
  } finally {
    release();
  }
}

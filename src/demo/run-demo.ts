import { helpLines } from './command/help.js';
import { parseOptions } from './command/parse-options.js';
import { runConnected } from './connected.js';
import { builtInFleet } from './fleet/built-in-fleet.js';
import { replayOnce } from './replay-once.js';
import { assertWritable } from './report/report.js';
import { serve } from './serve.js';
import type { Terminal } from './terminal/terminal.js';
import { readTrace } from './trace/read-trace.js';
import { defaultTrace } from './trace/trace-file.js';

/** The whole demo. Returns the exit code. @throws {UsageError} for what the user can put right. */
export async function runDemo(args: readonly string[], terminal: Terminal): Promise<number> {
  const options = parseOptions(args);
  if (options.help) {
    terminal.print(helpLines(terminal.width));
    return 0;
  }
  const trace = await readTrace(options.trace ?? defaultTrace());
  const { handshake } = options;
  if (options.once && handshake === undefined) return replayOnce(trace, options, terminal);
  if (options.out !== undefined) assertWritable(options.out); // before anything waits or listens
  if (handshake !== undefined) return runConnected(trace, { ...options, handshake }, terminal);
  return serve(trace, builtInFleet(trace, options), options, terminal);
}

import { statsLog } from '../index.js';
import type { DemoOptions } from './command/options.js';
import type { Fleet } from './fleet/fleet.js';
import { Frontend } from './frontend/frontend.js';
import { showStatus } from './frontend/status-line.js';
import { report } from './report/report.js';
import { counted, whole } from './terminal/format.js';
import { onInterrupt } from './terminal/interrupt.js';
import { wrapped } from './terminal/layout.js';
import type { Terminal } from './terminal/terminal.js';
import type { Trace } from './trace/trace.js';

/** Every ten seconds, as a server's log has it. */
function logStats({ serving }: Frontend, terminal: Terminal): () => void {
  const log = statsLog(serving.metrics).subscribe(({ level, lines }) => {
    const time = new Date().toTimeString().slice(0, 8);
    if (level === 'info') terminal.print(lines.map((line) => `${time} ${line}`));
  });
  return () => log.unsubscribe();
}

/** Listens; a fleet that nobody can reach is let go of. */
async function listening(frontend: Frontend): Promise<string> {
  try {
    return await frontend.start();
  } catch (error) {
    await frontend.serving.stop();
    throw error;
  }
}

/** Serves until the user ends it. Returns the exit code. */
export async function serve(
  trace: Trace,
  fleet: Fleet,
  options: DemoOptions,
  terminal: Terminal,
): Promise<number> {
  const frontend = new Frontend(trace, fleet, options);
  const { registry, record } = frontend.serving;
  const url = await listening(frontend);
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
  const headline = `Served ${whole(record.submitted)} requests through ${counted(record.engines.size, 'engine')} in ${seconds} s`;
  return report({ headline, registry, record }, terminal, options.out);
}

/** frontend.py as a process, and what it reports. */
import { join } from 'node:path';
import { start } from '../processes.js';
import { PYTHON } from './describe-with-python.js';
import { reportOf, type SchedulerStats } from './python-engine.js';

/** One request, and after how many tokens its client leaves. */
export interface PythonRequest {
  readonly id: string;
  readonly engine: number;
  readonly prompt: readonly number[];
  readonly sampling_params: Readonly<Record<string, unknown>> | null;
  readonly abort_after?: number;
}

/** What became of a request. */
export interface PythonAnswer extends PythonRequest {
  readonly tokens: readonly number[];
  readonly finish_reason: string | null;
  /** Outputs that came after its last one, or after its engine had answered a call made after its abort. */
  readonly late: number;
  readonly events: readonly { readonly type: number; readonly timestamp: number }[];
  readonly prefill_stats: readonly Readonly<Record<string, number>>[];
}

export interface FrontendReport {
  /** By engine, as what follows. */
  readonly ready_responses: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly stats: Readonly<Record<string, readonly SchedulerStats[]>>;
  /** The answers to get_supported_tasks. */
  readonly tasks: Readonly<Record<string, readonly string[]>>;
  readonly requests: Readonly<Record<string, PythonAnswer>>;
  /** Of all arrays that came. */
  readonly lengths: readonly number[];
}

/** Serves these engines with these requests, to their end. */
export async function servedByPython(
  handshake: string,
  engines: readonly number[],
  requests: readonly PythonRequest[],
): Promise<FrontendReport> {
  const script = join(import.meta.dirname, 'frontend.py');
  const running = start(PYTHON, [script, handshake, ...engines.map(String)]);
  running.child.stdin!.end(JSON.stringify(requests));
  return (await reportOf(running)) as FrontendReport;
}

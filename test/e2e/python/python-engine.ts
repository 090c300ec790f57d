/** engine.py as a process, and what it reports. */
import { join } from 'node:path';
import { type Running, start } from '../processes.js';
import { PYTHON } from './describe-with-python.js';

/** By the wire's keys. */
export interface SchedulerStats {
  readonly num_running_reqs: number;
  readonly num_waiting_reqs: number;
  readonly kv_cache_usage: number;
  readonly prefix_cache_stats: { readonly requests: number; readonly queries: number; readonly hits: number };
}

/** What an engine was asked, and what it made of it. */
export interface ServedRequest {
  readonly prompt: readonly number[];
  readonly params: Readonly<Record<string, unknown>> | null;
  /** The whole ADD. */
  readonly message: readonly unknown[];
  readonly tokens: readonly number[];
  /** The wire's number. */
  readonly finish_reason: number | null;
  /** Seconds of the engine's clock. */
  readonly queued: number;
  readonly scheduled: number | null;
  /** Tokens of the prompt that were in its prefix cache; once it is scheduled. */
  readonly cached?: number;
}

export interface EngineReport {
  readonly requests: Readonly<Record<string, ServedRequest>>;
  readonly aborts: readonly string[];
  /** All that it sent, oldest first. */
  readonly stats: readonly SchedulerStats[];
}

/** The report that a program prints at its end. */
export async function reportOf({ exit }: Running): Promise<unknown> {
  const { code, stdout, stderr } = await exit;
  if (code === 0) return JSON.parse(stdout);
  throw new Error(`exit code ${code}\n${stdout}\n${stderr}`);
}

export class PythonEngine {
  readonly #running: Running;

  constructor(handshake: string, engineIndex: number) {
    const script = join(import.meta.dirname, 'engine.py');
    this.#running = start(PYTHON, [script, handshake, String(engineIndex)]);
  }

  /** kill -9. */
  async kill(): Promise<void> {
    this.#running.child.kill('SIGKILL');
    await this.#running.exit;
  }

  /** Rejects if it has failed. */
  end(): Promise<EngineReport> {
    this.#running.child.stdin!.end();
    return reportOf(this.#running) as Promise<EngineReport>;
  }
}

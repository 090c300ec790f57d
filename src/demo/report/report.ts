import { closeSync, openSync, writeFileSync } from 'node:fs';
import { renderMetrics } from '../../index.js';
import { readSamples } from '../../testing/index.js';
import { codeOf, UsageError } from '../command/usage-error.js';
import { MODEL_NAME, type Replay } from '../run/replay.js';
import { clockTime, whole } from '../terminal/format.js';
import { wrapped } from '../terminal/layout.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkIdentities } from './identities.js';
import { identityLines } from './identity-report.js';
import { Page } from './page.js';
import { summaryLines } from './summary.js';

function headline({ trace, fleet, playback, record }: Replay, elapsedMs: number): string {
  const requests = `${whole(record.submitted)} of ${whole(trace.numRequests)} requests`;
  const times = `${clockTime(playback.now())} of trace time in ${(elapsedMs / 1000).toFixed(1)} s`;
  const count = fleet.engines.length;
  return `Replayed ${requests} through ${whole(count)} ${count === 1 ? 'engine' : 'engines'}, ${times}`;
}

/** Prints what a run came to, and writes its page. Returns the exit code: 1 if an identity fails. */
export async function report(
  replay: Replay,
  terminal: Terminal,
  elapsedMs: number,
  out: string | undefined,
): Promise<number> {
  const page = new Page(await readSamples(replay.registry), MODEL_NAME);
  const results = checkIdentities(page, replay.record.engines);
  const { width } = terminal;
  const head = wrapped([headline(replay, elapsedMs)], width);
  terminal.print([...head, '', ...summaryLines(page, replay.record, width), '']);
  terminal.print(identityLines(results, width));
  if (out !== undefined) {
    writeOut(out, await renderMetrics(replay.registry));
    terminal.print(wrapped(['', `The page is in ${out}`], width));
  }
  return results.every(({ holds }) => holds) ? 0 : 1;
}

function unwritable(file: string, error: unknown): UsageError {
  return new UsageError(`--out ${file}`, 'a file that can be written', codeOf(error));
}

/** Creates the file if it is not there: better to know before a long run than after it. @throws {UsageError} */
export function assertWritable(file: string): void {
  try {
    closeSync(openSync(file, 'a'));
  } catch (error) {
    throw unwritable(file, error);
  }
}

/** @throws {UsageError} */
function writeOut(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (error) {
    throw unwritable(file, error);
  }
}

import { closeSync, openSync, writeFileSync } from 'node:fs';
import type { Registry } from 'prom-client';
import { renderMetrics } from '../../index.js';
import { readSamples } from '../../testing/index.js';
import { codeOf, UsageError } from '../command/usage-error.js';
import { MODEL_NAME } from '../run/replay.js';
import type { RunRecord } from '../run/run-record.js';
import { wrapped } from '../terminal/layout.js';
import type { Terminal } from '../terminal/terminal.js';
import { checkIdentities } from './identities.js';
import { identityLines } from './identity-report.js';
import { Page } from './page.js';
import { summaryLines } from './summary.js';

/** What has been run, to be reported. */
export interface FinishedRun {
  readonly headline: string;
  readonly registry: Registry;
  readonly record: RunRecord;
}

/** Prints what a run came to, and writes its page. Returns the exit code: 1 if an identity fails. */
export async function report(
  { headline, registry, record }: FinishedRun,
  terminal: Terminal,
  out: string | undefined,
): Promise<number> {
  const page = new Page(await readSamples(registry), MODEL_NAME);
  const results = checkIdentities(page, record.engines);
  const { width } = terminal;
  terminal.print([...wrapped([headline], width), '', ...summaryLines(page, record, width), '']);
  terminal.print(identityLines(results, width));
  if (out !== undefined) {
    writeOut(out, await renderMetrics(registry));
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

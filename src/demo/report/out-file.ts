import { closeSync, openSync, writeFileSync } from 'node:fs';
import { codeOf, UsageError } from '../command/usage-error.js';

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
export function writeOut(file: string, page: string): void {
  try {
    writeFileSync(file, page);
  } catch (error) {
    throw unwritable(file, error);
  }
}

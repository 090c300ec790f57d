import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { codeOf, UsageError } from '../command/usage-error.js';
import { parseTrace } from './parse-trace.js';
import type { Trace } from './trace.js';

const NAME = 'data/azure_llm_conv_2023.csv.gz';

/** The Azure conversation trace. It is not copied by the build: from `dist/esm/demo` it lies in the sources. */
export function defaultTrace(): string {
  const beside = new URL(NAME, import.meta.url);
  return fileURLToPath(
    existsSync(beside) ? beside : new URL(`../../../src/demo/trace/${NAME}`, import.meta.url),
  );
}

/** Known by its first bytes, not by its name. */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

function bytesOf(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new UsageError(`--trace ${file}`, 'a file that can be read', codeOf(error));
  }
}

function unzipped(file: string, bytes: Buffer): Buffer {
  try {
    return gunzipSync(bytes);
  } catch (error) {
    throw new UsageError(`--trace ${file}`, 'gzip data that can be read', codeOf(error));
  }
}

/**
 * Reads a trace file, gzipped or not.
 * @throws {UsageError} if it cannot be read, or a line of it is malformed.
 */
export function readTrace(file: string): Trace {
  const bytes = bytesOf(file);
  return parseTrace(basename(file), (isGzip(bytes) ? unzipped(file, bytes) : bytes).toString('utf8'));
}

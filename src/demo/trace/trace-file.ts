import { createReadStream, existsSync } from 'node:fs';
import { PassThrough, pipeline, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { createGunzip } from 'node:zlib';
import { codeOf, UsageError } from '../command/usage-error.js';

const NAME = 'data/azure_llm_conv_2023.csv.gz';

/** The Azure conversation trace. It is not copied by the build: from `dist/esm/demo` it lies in the sources. */
export function defaultTrace(): string {
  const beside = new URL(NAME, import.meta.url);
  return fileURLToPath(
    existsSync(beside) ? beside : new URL(`../../../src/demo/trace/${NAME}`, import.meta.url),
  );
}

/**
 * A file's text in pieces, gzipped or not: a file of any length takes the memory of one piece.
 * @throws {UsageError} if it cannot be read.
 */
export async function* textOf(file: string): AsyncGenerator<string> {
  const decoder = new TextDecoder(); // drops a byte order mark
  try {
    for await (const bytes of bytesOf(file)) yield decoder.decode(bytes, { stream: true });
  } catch (error) {
    throw unreadable(file, error);
  }
  yield decoder.decode();
}

async function* bytesOf(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const zipped = await beginsAsGzip(source);
  const target = zipped ? createGunzip() : new PassThrough();
  pipeline(source, target, () => {}); // its error is the target's too
  yield* target;
}

/** Known by its first bytes, not by its name; they stay in the stream. */
async function beginsAsGzip(source: Readable): Promise<boolean> {
  await new Promise<void>((resolve, reject) => {
    source.once('readable', resolve).once('end', resolve).once('error', reject);
  });
  const first: Buffer | null = source.read();
  if (first === null) return false;
  source.unshift(first);
  return first[0] === 0x1f && first[1] === 0x8b;
}

function unreadable(file: string, error: unknown): unknown {
  const code = codeOf(error);
  if (error instanceof UsageError) return error;
  const expected = code.startsWith('Z_') ? 'gzip data that can be read' : 'a file that can be read';
  return new UsageError(`--trace ${file}`, expected, code);
}

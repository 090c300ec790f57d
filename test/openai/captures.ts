/** Answers of real servers, as their bytes came, and what is known of them. */
import { fixtureNames, readFixture } from '../support/fixtures.js';

export interface Facts {
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly finishReasons: readonly string[];
  readonly events?: number;
  readonly contentEvents?: number;
  readonly reasoningEvents?: number;
  readonly toolCallEvents?: number;
  readonly end: string;
  readonly note?: string;
  readonly serverCounters?: Readonly<Record<string, number>>;
}

type Piece = string | { readonly b64: string };

interface Written {
  readonly name: string;
  readonly request: { readonly path: string; readonly body?: Readonly<Record<string, unknown>> };
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly chunks: readonly (readonly [ms: number, piece: Piece])[];
  readonly facts: Facts;
}

/** What a server sent at once, and when: ms after the request. */
export interface Read {
  readonly ms: number;
  readonly bytes: Uint8Array;
}

export interface Capture extends Omit<Written, 'chunks'> {
  readonly server: string;
  readonly reads: readonly Read[];
  readonly bytes: Uint8Array;
  readonly isStream: boolean;
}

function captureOf(server: string, { chunks, ...written }: Written): Capture {
  const reads = chunks.map(([ms, piece]) => ({
    ms,
    bytes: typeof piece === 'string' ? Buffer.from(piece) : Buffer.from(piece.b64, 'base64'),
  }));
  const bytes = Buffer.concat(reads.map((read) => read.bytes));
  const isStream = written.headers['content-type']?.startsWith('text/event-stream') ?? false;
  return { ...written, server, reads, bytes, isStream };
}

/** All captures; a name is `server/name`. */
export const CAPTURES: readonly Capture[] = fixtureNames('sse').flatMap((file) =>
  readFixture<{ captures: readonly Written[] }>(`sse/${file}`).captures.map((written) =>
    captureOf(file.replace('.json', ''), written),
  ),
);

export function captureNamed(server: string, name: string): Capture {
  const found = CAPTURES.find((capture) => capture.server === server && capture.name === name);
  if (found === undefined) throw new Error(`no capture ${server}/${name}`);
  return found;
}

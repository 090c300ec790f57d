/** What passed between a real vLLM 0.32.0's API server and its engine cores, and the pages it made of it. */
import { readFixture } from '../../support/fixtures.js';
import { bytesOf } from '../../wire/sessions.js';

type Frame = readonly [
  ms: number,
  direction: 'in' | 'out',
  socket: string,
  parts: readonly string[],
  role?: string,
];

export interface Capture {
  readonly scenario: string;
  readonly model: string;
  /** The context length decides the token buckets; 1024 unless a flag says otherwise. */
  readonly maxModelLen?: number;
  /** Frames before it are of the server's warm-up, and of neither page's difference. */
  readonly measuredFromMs?: number;
  readonly frames: readonly Frame[];
  readonly metricsBefore: string;
  readonly metricsAfter: string;
  readonly requests: readonly { readonly n?: number }[];
  /** Requests whose ABORT the server sent for itself: it had found a stop string. */
  readonly stopStringAborts?: readonly string[];
}

export function readCapture(name: string): Capture {
  return readFixture<Capture>(`wire/vllm-0.32/${name}.json`);
}

/** A message of the API server's or of an engine's, in order. */
export type Message =
  | { readonly kind: 'outputs'; readonly frames: readonly Uint8Array[] }
  | {
      readonly kind: 'request';
      readonly engineIndex: number;
      readonly type: number;
      readonly payload: Uint8Array;
    };

export function* messagesOf({ frames, measuredFromMs = 0 }: Capture): IterableIterator<Message> {
  for (const [ms, direction, socket, parts] of frames) {
    if (ms < measuredFromMs) continue;
    const bytes = parts.map(bytesOf);
    if (direction === 'in' && socket === 'PULL') yield { kind: 'outputs', frames: bytes };
    const [identity, type, payload] = bytes;
    if (direction === 'out' && socket === 'ROUTER' && payload !== undefined)
      yield { kind: 'request', engineIndex: identity![0]! | (identity![1]! << 8), type: type![0]!, payload };
  }
}

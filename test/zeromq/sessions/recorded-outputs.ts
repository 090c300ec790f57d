/** What the engines of a conversation said, read by another decoder than ours: what a frontend is to deliver. */
import type { EngineCoreOutputs, EngineCoreStreamOutput } from '../../../src/index.js';
import { readPlainly } from '../../wire/decoder/plain-reader.js';
import { type Conversation, requestsIn, said } from './conversation.js';

/** What a request's consumer sees. */
export interface Delivered {
  readonly requestId: string;
  readonly engineIndex: number;
  readonly outputs: readonly EngineCoreStreamOutput[];
  readonly end: unknown;
}

/** A message; undefined for one that is none. */
export function readRecorded(message: Uint8Array): EngineCoreOutputs | undefined {
  try {
    return readPlainly(message) as EngineCoreOutputs | undefined; // which gives that shape
  } catch {
    return undefined;
  }
}

/** The steps: without answers to calls, and what cannot be read. */
export function recordedBatches(recorded: Conversation): readonly EngineCoreOutputs[] {
  return said(recorded, 'engine', 'output')
    .map(({ frames }) => readRecorded(frames[0]!))
    .filter((batch) => batch !== undefined)
    .filter(({ utilityOutput }) => utilityOutput === undefined);
}

/** The stream of each request, in the order of their ADDs; all end so. */
export function recordedStreams(recorded: Conversation, end: unknown): readonly Delivered[] {
  const batches = recordedBatches(recorded);
  return requestsIn(recorded).map(({ engineIndex, request: { requestId } }) => {
    return { requestId, engineIndex, outputs: outputsOf(requestId, batches), end };
  });
}

function outputsOf(requestId: string, batches: readonly EngineCoreOutputs[]): EngineCoreStreamOutput[] {
  return batches.flatMap(({ engineIndex, timestamp, outputs }) =>
    outputs
      .filter((output) => output.requestId === requestId)
      .map((output) => ({ engineIndex, timestamp, output })),
  );
}

/** Steps as a real engine sends them, as bytes, and other decoders into the same objects as ours. */
import { decode } from '@msgpack/msgpack';
import { Unpackr } from 'msgpackr';
import type { EngineCoreOutput, EngineCoreOutputs } from '../../../src/index.js';
import { encodeEngineCoreOutputs } from '../../../src/wire/index.js';

export const OUTPUTS_A_STEP = 256;
const STEPS = 64;

/** One-token outputs of requests that stay, or of which `replaced` end and begin with each step. */
export function steps(replaced: number): Uint8Array[] {
  let made = OUTPUTS_A_STEP;
  const ids = Array.from({ length: OUTPUTS_A_STEP }, (_, i) => idOf(i));
  return Array.from({ length: STEPS }, (_, step) => {
    for (let i = 0; i < replaced; i++) {
      ids.splice((step * 37 + i * 101) % ids.length, 1);
      ids.push(idOf(made++));
    }
    const outputs = ids.map((requestId, i) => ({
      requestId,
      newTokenIds: [1000 + ((step * 7919 + i * 104729) % 126_000)],
    }));
    return encodeEngineCoreOutputs({ engineIndex: 0, timestamp: 1000 + step * 0.013, outputs });
  });
}

/** Upstream's ids: a name, a UUID, eight random characters. */
export function idOf(i: number): string {
  const hex = (i * 2_654_435_761).toString(16).padStart(12, '0').slice(-12);
  return `chatcmpl-9f1c2d3e-4b5a-4c6d-8e7f-${hex}-${hex.slice(0, 8)}`;
}

type Wire = readonly unknown[];

/** What both other decoders need after them: fields by name, nil as absent, all of them there as ours are. */
function outputOf(wire: Wire): EngineCoreOutput {
  const field = (position: number) => (wire[position] ?? undefined) as never;
  return {
    requestId: wire[0] as string,
    newTokenIds: wire[1] as number[],
    newLogprobs: field(2),
    newPromptLogprobsTensors: field(3),
    poolingOutput: field(4),
    finishReason: field(5),
    stopReason: field(6),
    events: field(7),
    kvTransferParams: field(8),
    ecTransferParams: field(9),
    traceHeaders: field(10),
    prefillStats: field(11),
    routedExperts: field(12),
    numNansInLogits: (wire[13] ?? 0) as number,
    mmCacheMissHashes: field(14),
    newSamplingMask: field(15),
    specDecodeMetrics: field(16),
    promptTokenIdLogprobs: field(17),
  };
}

function messageOf(wire: Wire): EngineCoreOutputs {
  const field = (position: number) => (wire[position] ?? undefined) as never;
  const outputs = wire[1] as readonly Wire[];
  const made: EngineCoreOutput[] = [];
  for (let i = 0; i < outputs.length; i++) made.push(outputOf(outputs[i]!));
  return {
    engineIndex: wire[0] as number,
    outputs: made,
    schedulerStats: field(2),
    timestamp: wire[3] as number,
    utilityOutput: field(4),
    finishedRequests: field(5),
    waveComplete: field(6),
    startWave: field(7),
    weightVersion: field(8),
  };
}

const unpackr = new Unpackr({ useRecords: false, mapsAsObjects: true });

export function byMsgpackr(bytes: Uint8Array): EngineCoreOutputs {
  return messageOf(unpackr.unpack(bytes) as Wire);
}

export function byMsgpack(bytes: Uint8Array): EngineCoreOutputs {
  return messageOf(decode(bytes) as Wire);
}

import { refuse } from '../fields/field-type.js';
import { writeOpaque } from '../msgpack/opaque-writer.js';
import { FINISH_REASONS, numberOf } from './enums.js';
import type { MapStruct } from './map-struct.js';
import {
  type Write,
  writeCount,
  writeCounts,
  writeFloat,
  writeList,
  writeMap,
  writeObject,
} from './map-writer.js';
import { EVENT, PREFILL_STATS } from './output-structs.js';
import { SCHEDULER_STATS } from './stats-structs.js';

/** One position of an array, and how it is written. */
export interface Position {
  readonly name: string;
  /** `'outputs'` are arrays with positions of their own. */
  readonly write: Write | 'outputs';
  /** What is written if it is absent; nil, if that is undefined. */
  readonly fallback?: unknown;
  readonly isRequired?: boolean;
  /** Not in the trees of August 2026. */
  readonly isNewer?: boolean;
}

const writeText: Write = (writer, value, path) => {
  if (typeof value === 'string') writer.text(value);
  else refuse(path, 'a string', value);
};

const writeTexts: Write = (writer, value, path) => writeList(writer, value, path, writeText);

const writeNothing: Write = (writer) => writer.nil();

const writeStop: Write = (writer, value, path) => {
  if (typeof value === 'string') writer.text(value);
  else writeCount(writer, value, path);
};

const writeReason: Write = (writer, value, path) => writer.integer(numberOf(FINISH_REASONS, value, path));

function mapWriter(struct: MapStruct): Write {
  return (writer, value, path) => writeMap(writer, struct, value, path);
}

const writeEvents: Write = (writer, value, path) => writeList(writer, value, path, mapWriter(EVENT));

/** `[call id, failure or nil, result]`, the result as `[type information or nil, value]`. */
const writeUtility: Write = (writer, value, path) => {
  if (typeof value !== 'object' || value === null) refuse(path, 'an object', value);
  const { callId, failureMessage, result } = value as Record<string, unknown>;
  writer.array(3);
  writeCount(writer, callId, `${path}.callId`);
  writeOpaque(writer, failureMessage, `${path}.failureMessage`, 0);
  writeOpaque(writer, result === undefined ? undefined : [null, result], `${path}.result`, 0);
};

/** A request's part of a step. */
export const OUTPUT_POSITIONS: readonly Position[] = [
  { name: 'requestId', write: writeText, fallback: null, isRequired: true },
  { name: 'newTokenIds', write: writeCounts, fallback: null, isRequired: true },
  { name: 'newLogprobs', write: writeNothing },
  { name: 'newPromptLogprobsTensors', write: writeNothing },
  { name: 'poolingOutput', write: writeNothing },
  { name: 'finishReason', write: writeReason },
  { name: 'stopReason', write: writeStop },
  { name: 'events', write: writeEvents },
  { name: 'kvTransferParams', write: writeObject },
  { name: 'ecTransferParams', write: writeObject },
  { name: 'traceHeaders', write: writeObject },
  { name: 'prefillStats', write: mapWriter(PREFILL_STATS) },
  { name: 'routedExperts', write: writeNothing },
  { name: 'numNansInLogits', write: writeCount, fallback: 0 },
  { name: 'mmCacheMissHashes', write: writeTexts },
  { name: 'newSamplingMask', write: writeNothing },
  { name: 'specDecodeMetrics', write: writeObject, isNewer: true },
  { name: 'promptTokenIdLogprobs', write: writeNothing, isNewer: true },
];

/** The message. */
export const OUTPUTS_POSITIONS: readonly Position[] = [
  { name: 'engineIndex', write: writeCount, fallback: 0 },
  { name: 'outputs', write: 'outputs', fallback: [] },
  { name: 'schedulerStats', write: mapWriter(SCHEDULER_STATS) },
  { name: 'timestamp', write: writeFloat, fallback: 0 },
  { name: 'utilityOutput', write: writeUtility },
  { name: 'finishedRequests', write: writeTexts },
  { name: 'waveComplete', write: writeCount },
  { name: 'startWave', write: writeCount },
  { name: 'weightVersion', write: writeText, isNewer: true },
];

/** Maps for people who look into one engine: nothing is recorded of them. @see vllm/v1/metrics/perf.py */
import { type MapStruct, row } from './map-struct.js';

export const ITERATION_DETAILS: MapStruct = {
  fields: [
    row('iterationIndex', 'count'),
    row('numCtxRequests', 'count'),
    row('numCtxTokens', 'count'),
    row('numGenerationRequests', 'count'),
    row('numGenerationTokens', 'count'),
    row('elapsedMs', 'float'),
    row('numEncoderInputs', 'count'),
    row('numEncoderOutputTokens', 'count'),
    row('isDummy', 'flag'),
  ],
  create: () => ({
    iterationIndex: undefined,
    numCtxRequests: undefined,
    numCtxTokens: undefined,
    numGenerationRequests: undefined,
    numGenerationTokens: undefined,
    elapsedMs: undefined,
    numEncoderInputs: undefined,
    numEncoderOutputTokens: undefined,
    isDummy: undefined,
  }),
};

export const DEBUG_STATS: MapStruct = {
  fields: [
    row('calcDuration', 'float'),
    row('numPrefillRequests', 'count'),
    row('numDecodeRequests', 'count'),
    row('contextBreakdown', 'map'),
    row('numFlopsPerGpuBreakdown', 'map'),
    row('numReadBytesPerGpuBreakdown', 'map'),
    row('numWriteBytesPerGpuBreakdown', 'map'),
  ],
  create: () => ({
    calcDuration: undefined,
    numPrefillRequests: undefined,
    numDecodeRequests: undefined,
    contextBreakdown: undefined,
    numFlopsPerGpuBreakdown: undefined,
    numReadBytesPerGpuBreakdown: undefined,
    numWriteBytesPerGpuBreakdown: undefined,
  }),
};

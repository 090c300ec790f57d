/**
 * The bytes that a vLLM frontend and its engine cores exchange: msgpack in both directions, no sockets.
 * @see vllm/v1/serial_utils.py, vllm/v1/engine/__init__.py
 */
export type {
  EngineCoreRequest,
  LoraRequest,
} from '../engine-core/engine-core-request.js';
export type { RepetitionDetection, SamplingParams } from '../engine-core/sampling-params.js';
export { type DecoderOptions, EngineCoreOutputsDecoder } from './decoder/engine-core-outputs-decoder.js';
export type { WireTensor } from './decoder/tensors.js';
export { type EncodeOutputsOptions, encodeEngineCoreOutputs } from './outputs/encode-outputs.js';
export { decodeEngineCoreRequest } from './requests/decode-request.js';
export { encodeEngineCoreRequest } from './requests/encode-request.js';
export { WireDecodeError, type WireDecodeReason } from './wire-decode-error.js';
export type { WireDiagnostic } from './wire-diagnostic.js';

/**
 * Real vLLM engine cores over ZeroMQ, from both sides: a frontend that serves them, and engines for a frontend. Rooms:
 * `sockets` is zeromq itself, `frontend` and `engines` the two sides.
 * @see vllm/v1/engine/core_client.py, vllm/v1/engine/core.py
 */
export type { EngineReady } from '../engine-core/engine-ready.js';
export { connectEngines } from './connect-engines.js';
export type { ConnectEnginesOptions, StopSignal } from './connect-options.js';
export type { EngineCoreClient, GenerateOptions } from './engine-core-client.js';
export { EngineLostError } from './engine-lost-error.js';
export type { AbortReply, EngineSource } from './engines/engine-source.js';
export type { EngineStatus } from './frontend/engine-pool.js';
export { type EngineServer, type ServeEnginesOptions, serveEngines } from './serve-engines.js';
export type { OnDiagnostic, SocketDiagnostic } from './socket-diagnostic.js';

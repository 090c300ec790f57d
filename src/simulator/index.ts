/**
 * Simulated engines. The rooms, each on those before it: `config` checks what it is given, and nothing after it checks
 * again; `memory` holds KV blocks and knows no time; `extras` are the features that can be off; `core` is one engine,
 * step after step; `fleet` is engines, arrivals and streams together.
 */
export type { EngineFleet, EngineSnapshot } from './fleet/fleet-types.js';
export type {
  AbortReply,
  EngineOptions,
  KVConnectorKind,
  KVConnectorOptions,
  PerfModelOptions,
  SimulatorOptions,
  SpecDecodingOptions,
  StepTimeOptions,
} from './options.js';
export type {
  EngineCoreRequestLike,
  MultiModalCacheQuery,
  SimulatedEnding,
  SimulatedRequest,
  SubmittedRequest,
} from './request.js';
export { simulateEngines } from './simulate-engines.js';

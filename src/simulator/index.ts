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

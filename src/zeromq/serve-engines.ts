import { assertMember, assertObject, oneOf } from '../serving/checks.js';
import type { EncodeOutputsOptions } from '../wire/index.js';
import { assertEndpoint, engineIndexes, type StopSignal } from './connect-options.js';
import { EngineHall } from './engines/engine-hall.js';
import type { AbortReply, EngineSource } from './engines/engine-source.js';
import { type OnDiagnostic, safely } from './socket-diagnostic.js';

/** Options of {@link serveEngines}. */
export interface ServeEnginesOptions {
  /** Where the frontend listens: `tcp://host:port` or `ipc://path`. It need not be there yet. */
  readonly handshake: string;
  /** A number N for engines 0 to N-1, or their indexes. */
  readonly engines: number | readonly number[];
  /** `final-output` by default, as upstream's mock engine; `silent`, as today's Python engines. */
  readonly abortReply?: AbortReply | undefined;
  /** `short` leaves out the defaults at an array's end, as older engines did; `all` by default. */
  readonly fields?: EncodeOutputsOptions['fields'];
  /** Called with requests that were ignored or refused. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
  /** Gives up waiting for the frontend; later, closes the server. */
  readonly signal?: StopSignal | undefined;
}

/** Engines that are served; each can be stopped and started on its own. */
export interface EngineServer {
  /** A new life for an engine that was killed or has died: HELLO again. Resolves once it is ready. */
  start(engineIndex: number): Promise<void>;
  /** As a process that is killed: its connections close and nothing is said. */
  kill(engineIndex: number): void;
  /** Sends `ENGINE_CORE_DEAD` and goes. */
  die(engineIndex: number): Promise<void>;
  /** Sends bytes as they are, as an engine might that is broken. */
  sendRaw(engineIndex: number, bytes: Uint8Array): void;
  /** Resolves when what was sent has been handed to the system. */
  close(): Promise<void>;
}

/**
 * Serves engines to a frontend, over the protocol that vLLM's engine cores speak. Resolves when all have said that
 * they are ready.
 * @throws {TypeError | RangeError} (as a rejection) on bad options.
 * @see vllm/v1/engine/core.py `EngineCoreProc`
 */
export async function serveEngines(fleet: EngineSource, options: ServeEnginesOptions): Promise<EngineServer> {
  assertObject('fleet', fleet);
  for (const method of ['submit', 'abort', 'outputs'] as const)
    assertMember(`fleet.${method}`, fleet[method], 'a function', typeof fleet[method] === 'function');
  assertObject('serveEngines', options);
  const { handshake, onDiagnostic, signal, abortReply = 'final-output', fields = 'all' } = options;
  assertEndpoint('handshake', handshake);
  const habits = {
    abortReply: oneOf('abortReply', abortReply, ['final-output', 'silent']),
    fields: oneOf('fields', fields, ['all', 'short']),
    report: safely(onDiagnostic),
  };
  const indexes = engineIndexes(options.engines);
  const hall = new EngineHall(fleet, handshake, indexes, habits);
  signal?.addEventListener('abort', () => void hall.close());
  if (signal?.aborted) await hall.close();
  await Promise.all(indexes.map((index) => hall.start(index)));
  return hall;
}

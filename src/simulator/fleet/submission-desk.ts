import type { SchedulerLike } from 'rxjs';
import { checkRequest } from '../config/check-request.js';
import type { EngineConfig } from '../config/engine-config.js';
import { MultiModalCache } from '../extras/multi-modal-cache.js';
import type { SimulatorOptions } from '../options.js';
import type { EngineCoreRequestLike, SimulatedRequest } from '../request.js';
import { fromCoreRequest, isCoreRequest } from './core-request.js';
import type { EngineGroup } from './engine-group.js';
import type { FleetStreams } from './fleet-streams.js';

/** Where a fleet takes requests in: checks them, finds them an engine, tells of them. */
export class SubmissionDesk {
  readonly #config: EngineConfig;
  readonly #scheduler: SchedulerLike;
  readonly #outputTokensOf: SimulatorOptions['outputTokensOf'];
  readonly #multiModalCache: MultiModalCache;
  readonly #group: EngineGroup;
  readonly #streams: FleetStreams;

  constructor(
    options: SimulatorOptions,
    config: EngineConfig,
    multiModalCacheSize: number,
    group: EngineGroup,
    streams: FleetStreams,
  ) {
    this.#config = config;
    this.#scheduler = options.scheduler;
    this.#outputTokensOf = options.outputTokensOf;
    this.#multiModalCache = new MultiModalCache(multiModalCacheSize);
    this.#group = group;
    this.#streams = streams;
  }

  /** Returns the index of the engine: the wanted one, else the least loaded. */
  submit(given: SimulatedRequest | EngineCoreRequestLike, wanted: number | undefined): number {
    const request = this.#checked(given);
    const engine = wanted === undefined ? this.#group.leastLoaded() : this.#group.get(wanted);
    engine.submit(request);
    const arrivalTimeMs = this.#scheduler.now();
    this.#streams.submitted.next({ request, engineIndex: engine.index, arrivalTimeMs });
    this.#lookUpMultiModal(request, engine.index);
    return engine.index;
  }

  #checked(given: SimulatedRequest | EngineCoreRequestLike): SimulatedRequest {
    if (this.#streams.isOver)
      throw new TypeError('submit: expected a fleet that runs, got one that has ended');
    const request = isCoreRequest(given)
      ? fromCoreRequest(given, this.#config.blockSize, this.#outputTokensOf)
      : given;
    checkRequest(request, this.#config);
    if (this.#group.hasLive(request.requestId))
      throw new RangeError(`requestId: expected one that is not live, got ${request.requestId}`);
    return request;
  }

  #lookUpMultiModal({ multiModalHashes }: SimulatedRequest, engineIndex: number): void {
    if (multiModalHashes === undefined || multiModalHashes.length === 0) return;
    const hits = this.#multiModalCache.query(multiModalHashes);
    this.#streams.multiModalCache.next({ engineIndex, queries: multiModalHashes.length, hits });
  }
}

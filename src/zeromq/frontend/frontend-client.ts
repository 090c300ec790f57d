import { type Observable, throwError } from 'rxjs';
import type { EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { EngineCoreRequest } from '../../engine-core/engine-core-request.js';
import type { EngineReady } from '../../engine-core/engine-ready.js';
import { EngineCoreOutputStream } from '../../router/tag-engine.js';
import { assertWholeNumber } from '../../serving/checks.js';
import { encodeEngineCoreRequest } from '../../wire/requests/encode-request.js';
import type { EngineCoreClient, GenerateOptions } from '../engine-core-client.js';
import { EngineLostError } from '../engine-lost-error.js';
import type { EngineLink } from './engine-link.js';
import type { EngineStatus } from './engine-pool.js';
import type { Frontend } from './frontend.js';

const NONE_READY = 'no engine is ready';

/** The public face of a frontend. */
export class FrontendClient implements EngineCoreClient {
  readonly engines: ReadonlyMap<number, EngineReady>;
  readonly batches$: Observable<EngineCoreOutputs>;
  readonly status$: Observable<EngineStatus>;
  readonly #frontend: Frontend;

  constructor(frontend: Frontend) {
    this.#frontend = frontend;
    this.engines = frontend.pool.ready;
    this.batches$ = frontend.intake.batches.asObservable();
    this.status$ = frontend.pool.status$;
  }

  get skippedMessages(): number {
    return this.#frontend.intake.skipped;
  }

  generate(request: EngineCoreRequest, { engineIndex }: GenerateOptions = {}): EngineCoreOutputStream {
    const payload = encodeEngineCoreRequest(request);
    const { requestId, dataParallelRank } = request;
    const { pool, streams } = this.#frontend;
    streams.assertFree(requestId);
    const wanted = engineIndex ?? dataParallelRank ?? undefined;
    const link = wanted === undefined ? pool.leastLoaded() : this.#known(wanted);
    if (link?.state === 'ready') return streams.open(requestId, link, payload);
    const { engineIndex: index, reason } = link ?? { ...pool.links[0]!, reason: NONE_READY };
    const lost = () => new EngineLostError(index, reason);
    return new EngineCoreOutputStream(index, requestId, throwError(lost));
  }

  async utility(method: string, args: readonly unknown[] = [], engineIndex?: number): Promise<unknown[]> {
    const { pool, utilities, isClosed } = this.#frontend;
    if (isClosed) throw new Error('utility: expected a client that is open, got one that is closed');
    const links = engineIndex === undefined ? pool.serving : [this.#known(engineIndex)];
    if (links.length === 0) throw new EngineLostError(pool.links[0]!.engineIndex, NONE_READY);
    for (const { engineIndex: index, state, reason } of links)
      if (state !== 'ready') throw new EngineLostError(index, reason);
    return Promise.all(links.map((link) => utilities.call(link, method, args)));
  }

  close(): Promise<void> {
    return this.#frontend.close();
  }

  /** @throws {TypeError | RangeError} for an engine that is none of this client's. */
  #known(engineIndex: number): EngineLink {
    assertWholeNumber('engineIndex', engineIndex);
    const { pool } = this.#frontend;
    const link = pool.get(engineIndex);
    if (link !== undefined) return link;
    const indexes = pool.links.map((each) => each.engineIndex).join(', ');
    throw new RangeError(`engineIndex: expected one of ${indexes}, got ${engineIndex}`);
  }
}

import { defer, EMPTY, finalize, NEVER, type Observable, Subject, tap } from 'rxjs';
import type { EngineCoreOutputs, EngineCoreStreamOutput } from '../../index.js';
import type { MultiModalCacheQuery } from '../../simulator/index.js';
import type { EngineStatus as ClientStatus, EngineCoreClient, EngineReady } from '../../zeromq/index.js';
import type { EngineLoss } from '../run/run-record.js';
import { ConnectedEngine } from './connected-engine.js';
import { EngineChoice } from './engine-choice.js';
import { EngineStateError, type Fleet, type FleetRequest } from './fleet.js';
import type { EngineStatus } from './fleet-status.js';
import { promptIdsOf } from './token-ids.js';

/** For engines that do not say how much they hold: the greatest that models of today are served with, by and large. */
const DEFAULT_MODEL_LEN = 131_072;

/** Engines of other processes, which come and go as whoever started them likes. */
export class ConnectedFleet implements Fleet {
  readonly canChange = false;
  readonly endsAnswers = false;
  readonly sendsStrays = true;
  readonly maxModelLen: number;
  readonly batches$: Observable<EngineCoreOutputs>;
  readonly multiModalCache$: Observable<MultiModalCacheQuery> = EMPTY;
  readonly removed$: Observable<number> = NEVER;
  readonly indexes: readonly number[];
  readonly #lost: Subject<EngineLoss> = new Subject();
  readonly #client: EngineCoreClient;
  readonly #blockSize: number;
  readonly #engines: ReadonlyMap<number, ConnectedEngine>;
  readonly #choice = new EngineChoice();

  /** `blockSize`: tokens that a block hash of the trace stands for. */
  constructor(client: EngineCoreClient, blockSize: number) {
    this.#client = client;
    this.#blockSize = blockSize;
    this.indexes = [...client.engines.keys()].sort((a, b) => a - b);
    this.#engines = new Map(this.indexes.map((index) => [index, new ConnectedEngine(index)]));
    this.maxModelLen = Math.min(
      ...[...client.engines.values()].map(({ maxModelLen }) => maxModelLen ?? DEFAULT_MODEL_LEN),
    );
    this.batches$ = client.batches$.pipe(tap((batch) => this.#engines.get(batch.engineIndex)?.batch(batch)));
    client.status$.subscribe((status) => this.#changed(status));
  }

  /** How the engines stand, and each change, in the words of the client. */
  get status$(): Observable<ClientStatus> {
    return this.#client.status$;
  }

  get lost$(): Observable<EngineLoss> {
    return this.#lost;
  }

  get isServing(): boolean {
    return this.#running.length > 0;
  }

  get numWaiting(): number {
    return this.#running.reduce((sum, index) => sum + this.#get(index).status.waiting, 0);
  }

  cacheConfigOf(index: number): Readonly<Record<string, unknown>> {
    const { blockSize, numGpuBlocks }: EngineReady = this.#client.engines.get(index) ?? {};
    return { block_size: blockSize, num_gpu_blocks: numGpuBlocks };
  }

  statusOf(index: number): EngineStatus {
    return this.#get(index).status;
  }

  pick(): number | undefined {
    return this.#choice.pick(this.#running, (index) => this.#get(index).numOpen);
  }

  open(index: number, request: FleetRequest): Observable<EngineCoreStreamOutput> {
    const engine = this.#get(index);
    return defer(() => {
      engine.numOpen++;
      return this.#client.generate(this.#onTheWire(request), { engineIndex: index }).pipe(
        tap({ error: () => engine.numFailed++ }),
        finalize(() => engine.numOpen--),
      );
    });
  }

  add(): number {
    throw notOurs();
  }

  remove(): void {
    throw notOurs();
  }

  kill(): void {
    throw notOurs();
  }

  restart(): void {
    throw notOurs();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  get #running(): readonly number[] {
    return this.indexes.filter((index) => this.#get(index).state === 'running');
  }

  /** What a trace says is an answer's length is its cap: only a cap ends it here as long as it was there. */
  #onTheWire(request: FleetRequest): Parameters<EngineCoreClient['generate']>[0] {
    const { requestId } = request;
    if ('promptTokenIds' in request) {
      const { promptTokenIds, samplingParams } = request;
      return { requestId, promptTokenIds, samplingParams };
    }
    const { numOutputTokens, maxTokens } = request;
    return {
      requestId,
      promptTokenIds: promptIdsOf(request, this.#blockSize),
      samplingParams: { maxTokens: Math.min(numOutputTokens, maxTokens ?? numOutputTokens) },
    };
  }

  #changed({ engineIndex, state, reason }: ClientStatus): void {
    const engine = this.#get(engineIndex);
    if (state === 'ready') {
      engine.ready();
      return;
    }
    engine.state = 'dead';
    this.#lost.next({ engineIndex, reason, numRequests: engine.numFailed });
  }

  #get(index: number): ConnectedEngine {
    const engine = this.#engines.get(index);
    if (engine !== undefined) return engine;
    throw new EngineStateError('engine', `one of ${this.indexes.join(', ')}`, String(index));
  }
}

function notOurs(): EngineStateError {
  return new EngineStateError('engines', 'ones of this process', 'ones that others have started');
}

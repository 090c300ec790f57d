import type { PrefixCacheStats } from '../../engine-core/scheduler-stats.js';
import type { ConnectorConfig } from '../config/extras-config.js';
import { LookUpCounter } from '../memory/look-up-counter.js';
import type { SeededRandom } from '../random.js';
import { MooncakeOperations } from './mooncake-operations.js';
import { NixlTransfers } from './nixl-transfers.js';

/** What the connector knows of a request, and keeps in it. */
export interface FetchingRequest {
  readonly numPromptTokens: number;
  /** Prompt and output so far. */
  readonly numTokens: number;
  readonly numPreemptions: number;
  /** Whether its prompt lies ready on the connector's other side; drawn once. */
  isExternal: boolean | undefined;
}

/** Bytes a second and seconds a call: the order of a 200 Gbit link. */
const BANDWIDTH = 20e9;
const CALL_SECONDS = 2e-4;

/** One engine's way to KV blocks outside of it: decides hits and failures, and keeps the payload. */
export class KVConnector {
  readonly #config: ConnectorConfig;
  readonly #blockSize: number;
  readonly #random: SeededRandom;
  readonly #lookUps: LookUpCounter;
  readonly #nixl: NixlTransfers | undefined;
  readonly #mooncake: MooncakeOperations | undefined;

  constructor(config: ConnectorConfig, blockSize: number, random: SeededRandom) {
    this.#config = config;
    this.#blockSize = blockSize;
    this.#random = random;
    this.#lookUps = new LookUpCounter(config.source);
    this.#nixl = config.kind === 'mooncake-store' ? undefined : new NixlTransfers();
    this.#mooncake = config.kind === 'nixl' ? undefined : new MooncakeOperations();
  }

  /** Tokens that could be had of the `missing` ones: all but the prompt's last, which is always computed. */
  match(request: FetchingRequest, missing: number): number {
    request.isExternal ??= this.#random.chance(this.#config.hitRate);
    const computable = request.numPromptTokens - (request.numTokens - missing) - 1;
    return request.isExternal ? Math.max(0, computable) : 0;
  }

  /** Fetches `matched` tokens of an admitted request; 0 if that fails. */
  load(request: FetchingRequest, missing: number, matched: number): number {
    this.#mooncake?.record('lookup_exists', this.#seconds(0), this.#blocks(missing), 0, 0);
    const loaded = matched > 0 ? this.#fetch(matched) : 0;
    this.#lookUps.record(missing, loaded, request.numPreemptions > 0);
    // A prefill engine frees what it sent, and a failed transfer is not tried again.
    if (this.#nixl !== undefined || loaded < matched) request.isExternal = false;
    return loaded;
  }

  /** Stores the tokens that the engine computes itself. */
  save(numTokens: number): void {
    const blocks = Math.floor(numTokens / this.#blockSize);
    if (this.#mooncake === undefined || blocks === 0) return;
    const bytes = blocks * this.#blockSize * this.#config.bytesPerToken;
    this.#mooncake.record('save_exists', this.#seconds(0), blocks, 0, 0);
    this.#mooncake.record('save_put', this.#seconds(bytes), blocks, bytes, this.#failedKeys(blocks));
  }

  takeLookUps(): PrefixCacheStats {
    return this.#lookUps.take();
  }

  /** The payload in the connector's own shape; nothing if nothing happened. */
  takeStats(): Readonly<Record<string, unknown>> | undefined {
    const nixl = this.#nixl?.take();
    const mooncake = this.#mooncake?.take();
    if (this.#config.kind !== 'multi') return nixl ?? mooncake;
    if (nixl === undefined && mooncake === undefined) return undefined;
    return {
      ...(nixl && { NixlPullConnector: { data: nixl } }),
      ...(mooncake && { MooncakeStoreConnector: { data: mooncake } }),
    };
  }

  #fetch(numTokens: number): number {
    const bytes = numTokens * this.#config.bytesPerToken;
    const blocks = this.#blocks(numTokens);
    const overNixl = this.#mooncake === undefined || (this.#nixl !== undefined && this.#random.chance(0.5));
    if (overNixl) return this.#fetchOverNixl(bytes, blocks) ? numTokens : 0;
    const failed = this.#failedKeys(blocks);
    this.#mooncake.record('load_get', this.#seconds(bytes), blocks, bytes, failed);
    return failed === 0 ? numTokens : 0;
  }

  #fetchOverNixl(bytes: number, blocks: number): boolean {
    const nixl = this.#nixl!; // only called with one
    if (!this.#random.chance(this.#config.failureRate)) {
      nixl.transferred(this.#seconds(bytes), CALL_SECONDS, bytes, blocks);
      return true;
    }
    nixl.failed();
    nixl.expired(this.#random.chance(0.5));
    return false;
  }

  #failedKeys(blocks: number): number {
    return this.#random.chance(this.#config.failureRate) ? this.#random.upTo(blocks) : 0;
  }

  #seconds(bytes: number): number {
    return (CALL_SECONDS + bytes / BANDWIDTH) * (0.5 + this.#random.next());
  }

  #blocks(numTokens: number): number {
    return Math.ceil(numTokens / this.#blockSize);
  }
}

import type { EngineConfig } from '../config/engine-config.js';
import { KVConnector } from '../extras/kv-connector.js';
import { LoraSlots } from '../extras/lora-slots.js';
import { SpecDecoder } from '../extras/spec-decoding.js';
import { LinkedList } from '../linked-list.js';
import { BlockPool } from '../memory/block-pool.js';
import { LookUpCounter } from '../memory/look-up-counter.js';
import type { SeededRandom } from '../random.js';
import type { LiveRequest } from './live-request.js';

/** Everything an engine knows of its requests and blocks; knows no time of its own. */
export class EngineState {
  readonly config: EngineConfig;
  readonly live: Map<string, LiveRequest> = new Map();
  readonly waiting: LinkedList<LiveRequest> = new LinkedList();
  /** Held back by a constraint of their own (LoRA); they let others pass. */
  readonly deferred: LinkedList<LiveRequest> = new LinkedList();
  /** Oldest admission first; the last is preempted first. */
  readonly running: LiveRequest[] = [];
  readonly pool: BlockPool;
  readonly loras: LoraSlots;
  readonly lookUps: LookUpCounter = new LookUpCounter();
  readonly connector: KVConnector | undefined;
  readonly specDecoder: SpecDecoder | undefined;
  numPreemptions = 0;
  /** Steps of this wave, and waves before it; both stay 0 unless engines are data parallel. */
  stepCounter = 0;
  currentWave = 0;

  constructor(config: EngineConfig, random: SeededRandom) {
    this.config = config;
    this.pool = new BlockPool(config, random);
    this.loras = new LoraSlots(config.maxLoras);
    this.connector = config.kvConnector && new KVConnector(config.kvConnector, config.blockSize, random);
    this.specDecoder = config.specDecoding && new SpecDecoder(config.specDecoding, random);
  }

  /** Queues a request. `now` in seconds, engine clock. */
  add(request: LiveRequest, now: number): void {
    this.live.set(request.requestId, request);
    request.tell('queued', now);
    this.waiting.push(request);
  }

  /** Takes a request out, wherever it is, and frees its blocks. */
  drop(request: LiveRequest): void {
    const wasRunning = request.list === undefined;
    if (wasRunning) this.running.splice(this.running.indexOf(request), 1);
    else request.list?.remove(request);
    this.finish(request, wasRunning);
  }

  /** Frees what a request holds. */
  finish(request: LiveRequest, wasRunning: boolean): void {
    this.live.delete(request.requestId);
    this.pool.release(request);
    if (wasRunning) this.loras.release(request.loraName);
  }

  /** Sends a running request back to the head of the queue; it will be computed anew. */
  preempt(request: LiveRequest, now: number): void {
    this.pool.release(request);
    this.loras.release(request.loraName);
    request.numComputedTokens = 0;
    request.numScheduledTokens = 0;
    request.numPreemptions++;
    this.numPreemptions++;
    request.tell('preempted', now);
    this.waiting.unshift(request);
  }
}

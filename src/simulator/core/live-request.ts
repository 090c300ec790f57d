import type {
  EngineCoreEvent,
  EngineCoreEventType,
  FinishReason,
} from '../../engine-core/engine-core-event.js';
import type { PrefillStats } from '../../engine-core/engine-core-outputs.js';
import type { EngineConfig } from '../config/engine-config.js';
import type { FetchingRequest } from '../extras/kv-connector.js';
import type { Linked, LinkedList } from '../linked-list.js';
import type { BlockHolder } from '../memory/block-pool.js';
import type { CachedBlock } from '../memory/cached-block.js';
import type { SeededRandom } from '../random.js';
import type { SimulatedRequest } from '../request.js';

/** How and when a request will end. */
export interface Ending {
  /** Output tokens. */
  readonly targetTokens: number;
  readonly reason: FinishReason;
  /** The end comes in an output of its own, without tokens. */
  readonly endsEmpty: boolean;
}

/** Decided at arrival, so that a preemption changes nothing about it. */
export function endingOf(request: SimulatedRequest, config: EngineConfig, random: SeededRandom): Ending {
  const cap = Math.min(request.maxTokens ?? Infinity, config.maxModelLen - request.numPromptTokens);
  const targetTokens = Math.min(request.numOutputTokens, cap);
  if (random.chance(config.errorRate))
    return { targetTokens: random.upTo(targetTokens), reason: 'error', endsEmpty: true };
  const reason = request.finishReason ?? (request.numOutputTokens >= cap ? 'length' : 'stop');
  return { targetTokens, reason, endsEmpty: reason === 'error' || reason === 'abort' };
}

/** One request inside an engine. All fields are set here, in one order: one hidden class. */
export class LiveRequest implements Linked<LiveRequest>, BlockHolder, FetchingRequest {
  readonly requestId: string;
  readonly numPromptTokens: number;
  readonly targetTokens: number;
  readonly reason: FinishReason;
  readonly endsEmpty: boolean;
  readonly loraName: string | undefined;
  readonly blockHashes: readonly (number | string)[];
  /** The queue it waits in; none while it runs. */
  list: LinkedList<LiveRequest> | undefined = undefined;
  previous: LiveRequest | undefined = undefined;
  next: LiveRequest | undefined = undefined;
  numOutputTokens = 0;
  numComputedTokens = 0;
  numScheduledTokens = 0;
  numDraftTokens = 0;
  numPreemptions = 0;
  /** Whether its prompt lies ready on the connector's other side; drawn once. */
  isExternal: boolean | undefined = undefined;
  /** Blocks that only this request can use. */
  numPlainBlocks = 0;
  /** Blocks that the prefix cache knows. */
  cachedBlocks: CachedBlock[] = [];
  /** Prompt blocks that were found in, or offered to, the prefix cache. */
  numHashedBlocks = 0;
  /** Not yet delivered. */
  events: EngineCoreEvent[] | undefined = undefined;
  /** Not yet delivered; made at the first scheduling. */
  prefillStats: PrefillStats | undefined = undefined;
  wasScheduled = false;

  constructor(request: SimulatedRequest, ending: Ending) {
    this.requestId = request.requestId;
    this.numPromptTokens = request.numPromptTokens;
    this.targetTokens = ending.targetTokens;
    this.reason = ending.reason;
    this.endsEmpty = ending.endsEmpty;
    this.loraName = request.loraName;
    this.blockHashes = request.blockHashes ?? [];
  }

  /** Tokens known so far, prompt and output. */
  get numTokens(): number {
    return this.numPromptTokens + this.numOutputTokens;
  }

  /** Buffers an event until the next output; `timestamp` in seconds of the engine's clock. */
  tell(type: EngineCoreEventType, timestamp: number): void {
    this.events ??= [];
    this.events.push({ type, timestamp });
  }
}

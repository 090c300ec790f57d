import type { SimulatedRequest } from '../../simulator/index.js';
import { SeededRandom } from '../../simulator/random.js';
import type { DemoOptions } from '../command/options.js';
import type { TraceRequest } from '../trace/trace.js';

/** Streams of the seed; the engines have 0 and up. */
const WORKLOAD_STREAM = -1;
/** Share of requests that run into their `max_tokens`; a trace does not tell. */
const CAPPED_SHARE = 0.2;
const LORA_SHARE = 0.5;
const IMAGE_SHARE = 0.5;
/** Distinct images; low numbers are seen far more often. */
const NUM_IMAGES = 4096;
const MAX_IMAGES_A_REQUEST = 3;

/** The cap that a client may have asked for: the output's own length, or a round figure above it. */
function maxTokensOf({ numOutputTokens }: TraceRequest, random: SeededRandom): number {
  if (random.chance(CAPPED_SHARE)) return numOutputTokens;
  return 2 ** (Math.floor(Math.log2(numOutputTokens)) + 1);
}

function imagesOf(random: SeededRandom): number[] {
  const image = () => Math.floor(NUM_IMAGES * random.next() ** 3);
  return Array.from({ length: random.upTo(MAX_IMAGES_A_REQUEST) }, image);
}

/** A trace's requests with what a trace does not tell: caps, adapters, images; of one seed. */
export class Workload {
  readonly #options: Pick<DemoOptions, 'lora' | 'mmCache'>;
  readonly #random: SeededRandom;
  #count = 0;

  constructor(options: Pick<DemoOptions, 'seed' | 'lora' | 'mmCache'>) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed, WORKLOAD_STREAM);
  }

  requestOf(request: TraceRequest): SimulatedRequest {
    const { lora, mmCache } = this.#options;
    const random = this.#random;
    return {
      ...request,
      requestId: `request-${++this.#count}`,
      maxTokens: maxTokensOf(request, random),
      ...(lora > 0 && random.chance(LORA_SHARE) && { loraName: `adapter-${random.upTo(lora)}` }),
      ...(mmCache && random.chance(IMAGE_SHARE) && { multiModalHashes: imagesOf(random) }),
    };
  }

  *of(requests: Iterable<TraceRequest>): Generator<SimulatedRequest> {
    for (const request of requests) yield this.requestOf(request);
  }
}

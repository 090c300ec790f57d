import type { EngineCoreRequestLike, SimulatedRequest } from '../request.js';

/** vLLM's default where a request names no cap. */
const DEFAULT_MAX_TOKENS = 16;

/** Tells the two request shapes apart. */
export function isCoreRequest(
  request: SimulatedRequest | EngineCoreRequestLike,
): request is EngineCoreRequestLike {
  return 'promptTokenIds' in request;
}

/** A request off the wire as a simulated one: equal prompts share their prefix blocks. */
export function fromCoreRequest(
  request: EngineCoreRequestLike,
  blockSize: number,
  outputTokensOf: ((request: EngineCoreRequestLike) => number) | undefined,
): SimulatedRequest {
  const maxTokens = request.samplingParams?.maxTokens ?? DEFAULT_MAX_TOKENS;
  return {
    requestId: request.requestId,
    numPromptTokens: request.promptTokenIds.length,
    numOutputTokens: outputTokensOf === undefined ? maxTokens : outputTokensOf(request),
    maxTokens,
    loraName: loraNameOf(request.loraRequest),
    blockHashes: hashBlocks(request.promptTokenIds, blockSize),
  };
}

/** Each hash covers all tokens up to its block: two chained 32-bit FNV-1a lanes, 53 bits kept. */
function hashBlocks(tokenIds: ArrayLike<number>, blockSize: number): number[] {
  const hashes: number[] = [];
  let high = 0x811c9dc5;
  let low = 0x01000193;
  for (let i = 0; i < tokenIds.length; i++) {
    high = Math.imul(high ^ tokenIds[i]!, 0x01000193);
    low = Math.imul(low ^ tokenIds[i]! ^ (high >>> 15), 0x85ebca6b);
    if ((i + 1) % blockSize === 0) hashes.push((high >>> 11) * 2 ** 32 + (low >>> 0));
  }
  return hashes;
}

function loraNameOf(loraRequest: unknown): string | undefined {
  const name: unknown = Array.isArray(loraRequest)
    ? loraRequest[0]
    : (loraRequest as { readonly loraName?: unknown } | null | undefined)?.loraName;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

/** Token ids for prompts of which only the length is known, or a text. No tokenizer is asked. */
import type { SimulatedRequest } from '../../simulator/index.js';

/**
 * An engine takes ids on trust, and one beyond its vocabulary can take it down. Models of today have 32,000 entries or
 * more, the first of them for signs of their own.
 */
const FIRST_ID = 1000;
const NUM_IDS = 30_000;

/** 32-bit FNV-1a. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash >>> 0;
}

/** A well-mixed 32-bit number of two. */
export function mix(a: number, b: number): number {
  let hash = Math.imul(a ^ Math.imul(b + 1, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The id that a number stands for. */
export function tokenIdOf(hash: number): number {
  return FIRST_ID + (hash % NUM_IDS);
}

/**
 * A trace's prompt as ids. Blocks with equal hashes are equal ids, so that prompts share what they share in the trace;
 * without hashes they share nothing.
 */
export function promptIdsOf(
  { requestId, numPromptTokens, blockHashes }: SimulatedRequest,
  blockSize: number,
): number[] {
  const own = hashOf(requestId);
  const seeds = blockHashes?.map((hash) => hashOf(String(hash)));
  return Array.from({ length: numPromptTokens }, (_, i) =>
    tokenIdOf(mix(seeds?.[Math.floor(i / blockSize)] ?? own, i)),
  );
}

import { expect, it } from 'vitest';
import { promptIdsOf } from '../../../src/demo/fleet/token-ids.js';

const BLOCK = 4;

function prompt(requestId: string, numPromptTokens: number, blockHashes?: readonly number[]): number[] {
  const shared = { requestId, numPromptTokens, numOutputTokens: 1 };
  return promptIdsOf(blockHashes === undefined ? shared : { ...shared, blockHashes }, BLOCK);
}

/** How many ids two prompts have in common at their beginning. */
function sharedBy(a: readonly number[], b: readonly number[]): number {
  const first = a.findIndex((id, i) => id !== b[i]);
  return first < 0 ? a.length : first;
}

it('has as many ids as the prompt has tokens, all within the vocabulary of a small model', () => {
  const ids = prompt('a', 5_000);
  expect(ids).toHaveLength(5_000);
  expect(ids.every((id) => Number.isInteger(id) && id >= 1000 && id < 31_000)).toBe(true);
});

it('is the same each time for a request, and shares nothing with another one', () => {
  expect(prompt('a', 100)).toEqual(prompt('a', 100));
  expect(sharedBy(prompt('a', 100), prompt('b', 100))).toBe(0);
});

it('shares the blocks at the beginning that have equal hashes, and no more', () => {
  const [a, b] = [prompt('a', 14, [7, 8, 9, 10]), prompt('b', 14, [7, 8, 11, 10])];
  expect(sharedBy(a, b)).toBe(2 * BLOCK);
  expect(sharedBy(a, prompt('c', 14, [7, 8, 9, 10]))).toBe(14);
});

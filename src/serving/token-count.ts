/**
 * How many tokens ids of an output are: an array, or a typed array; none if absent. -1 for anything else, whatever its
 * `length` says. Batches and requests count by this one rule, or their totals would differ.
 */
export function tokenCount(newTokenIds: unknown): number {
  if (Array.isArray(newTokenIds)) return newTokenIds.length;
  if (newTokenIds === undefined || newTokenIds === null) return 0;
  if (ArrayBuffer.isView(newTokenIds) && 'length' in newTokenIds) return newTokenIds.length as number;
  return -1;
}

/** Two pages' samples, and what has grown between them. */

export type Page = ReadonlyMap<string, number>;

/** A histogram that a frontend fills by its own clock: only its count is the same on another machine. */
const FRONTEND_CLOCK = /^vllm:(time_to_first_token|e2e_request_latency)_seconds_/;

export function isComparable(key: string): boolean {
  return !FRONTEND_CLOCK.test(key) || key.includes('_count{');
}

/** What grew from one page to the next, zeros left out. */
export function growth(before: Page, after: Page, isWanted: (name: string) => boolean): Map<string, number> {
  const grown = [...after]
    .filter(([key]) => isWanted(key.split('{', 1)[0]!) && isComparable(key))
    .map(([key, value]) => [key, value - (before.get(key) ?? 0)] as const);
  return new Map(grown.filter(([, value]) => value !== 0));
}

/** Where two differences are not the same: sums of times to 1e-9, all else exactly. */
export function unequal(ours: ReadonlyMap<string, number>, theirs: ReadonlyMap<string, number>): string[] {
  const keys = [...new Set([...ours.keys(), ...theirs.keys()])].sort();
  return keys
    .filter((key) => {
      const [one, other] = [ours.get(key) ?? 0, theirs.get(key) ?? 0];
      const tolerance =
        key.includes('_seconds_sum{') || key.includes('_flops_') ? 1e-9 * Math.max(1, Math.abs(other)) : 0;
      return !(Math.abs(one - other) <= tolerance);
    })
    .map((key) => `${key}: ours ${ours.get(key) ?? 0}, theirs ${theirs.get(key) ?? 0}`);
}

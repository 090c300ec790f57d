/** What scheduler stats are tested with. */
import type { SchedulerStats } from '../../../src/index.js';

/** What counts as absent, and what no figure can be. */
export const ABSENT: readonly (null | undefined)[] = [undefined, null];

export const INVALID: readonly unknown[] = [
  -1,
  Number.NaN,
  Infinity,
  -Infinity,
  1e201,
  '3',
  -3n,
  10n ** 201n,
  true,
  {},
  [3],
];

export const counter = (name: string) => `vllm:${name}_total`;

export const stats = (value: unknown) => value as SchedulerStats;

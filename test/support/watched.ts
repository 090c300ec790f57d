import type { FinishedRequestStats } from '../../src/index.js';
import type { Rig } from './rig.js';

/** What `finishedRequests` sends from now on. */
export function watched(rig: Rig): FinishedRequestStats[] {
  const seen: FinishedRequestStats[] = [];
  rig.metrics.finishedRequests.subscribe((stats) => seen.push(stats));
  return seen;
}

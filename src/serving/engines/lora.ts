/**
 * Which LoRA adapters' requests wait and which run, from the requests' own lifecycle.
 * @see rust/src/metrics `lora_requests_info`; Python's `LoRARequestStates` lists every live adapter in both
 */
import type { ComputedSample } from '../../prom/registered-family.js';

/** Where a request with an adapter is. */
export type LoraState = 'waiting' | 'running';

/**
 * Distinct adapters one instance tracks at a time; further ones count as {@link OVERFLOW_ADAPTER}, so that a flood of
 * names cannot grow the label without bound. Engines serve tens of adapters at once.
 */
export const MAX_LIVE_ADAPTERS = 1024;
export const OVERFLOW_ADAPTER = 'other';

/** One instance's live adapters. */
export class LoraTracker {
  readonly maxLora: number | undefined;
  readonly waiting: Map<string, number> = new Map();
  readonly running: Map<string, number> = new Map();

  constructor(maxLora: number | undefined) {
    this.maxLora = maxLora;
  }

  /** False if one more adapter would be more than the cap; its requests then go under {@link OVERFLOW_ADAPTER}. */
  admits(name: string): boolean {
    if (this.waiting.has(name) || this.running.has(name)) return true;
    return this.waiting.size + this.running.size < MAX_LIVE_ADAPTERS;
  }

  /** Moves one request of the adapter; `undefined` is outside. Each request moves from where it is. */
  move(name: string, from: LoraState | undefined, to: LoraState | undefined): void {
    if (from !== undefined) add(this[from], name, -1);
    if (to !== undefined) add(this[to], name, 1);
  }

  /** Forgets all requests: the instance was disposed. */
  clear(): void {
    this.waiting.clear();
    this.running.clear();
  }
}

function add(counts: Map<string, number>, name: string, n: number): void {
  const count = (counts.get(name) ?? 0) + n;
  if (count > 0) counts.set(name, count);
  else counts.delete(name);
}

/** A name inside a comma-separated label value. */
function encodeName(name: string): string {
  return name.toWellFormed().replace(/[%,]/g, (char) => (char === '%' ? '%25' : '%2C'));
}

function listOf(names: Iterable<string>): string {
  return [...new Set([...names].map(encodeName))].sort().join(',');
}

function sampleOf(maxLora: number | undefined, trackers: readonly LoraTracker[]): ComputedSample | undefined {
  const waiting = listOf(trackers.flatMap((tracker) => [...tracker.waiting.keys()]));
  const running = listOf(trackers.flatMap((tracker) => [...tracker.running.keys()]));
  if (waiting === '' && running === '') return undefined;
  const labels = {
    ...(maxLora !== undefined && { max_lora: String(maxLora) }),
    waiting_lora_adapters: waiting,
    running_lora_adapters: running,
  };
  return { labels, value: Date.now() / 1000 };
}

/** One series over all instances of a registry, or one per `maxLora`; none while no adapter is live. */
export function loraSamples(trackers: Iterable<LoraTracker>): ComputedSample[] {
  const byMax = new Map<number | undefined, LoraTracker[]>();
  for (const tracker of trackers) {
    const group = byMax.get(tracker.maxLora);
    if (group === undefined) byMax.set(tracker.maxLora, [tracker]);
    else group.push(tracker);
  }
  return [...byMax]
    .map(([maxLora, group]) => sampleOf(maxLora, group))
    .filter((sample) => sample !== undefined);
}

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

/** How many requests of an adapter wait and run. */
interface AdapterRequests {
  waiting: number;
  running: number;
}

/** One instance's live adapters. */
export class LoraTracker {
  readonly maxLora: number | undefined;
  readonly #adapters = new Map<string, AdapterRequests>();

  constructor(maxLora: number | undefined) {
    this.maxLora = maxLora;
  }

  /** The adapters with requests in a state. */
  in(state: LoraState): string[] {
    return [...this.#adapters].filter(([, requests]) => requests[state] > 0).map(([name]) => name);
  }

  /** False if one more adapter would be more than the cap; its requests then go under {@link OVERFLOW_ADAPTER}. */
  admits(name: string): boolean {
    return this.#adapters.has(name) || this.#adapters.size < MAX_LIVE_ADAPTERS;
  }

  /** Moves one request of the adapter; `undefined` is outside. Each request moves from where it is. */
  move(name: string, from: LoraState | undefined, to: LoraState | undefined): void {
    const requests = this.#adapters.get(name) ?? { waiting: 0, running: 0 };
    if (from !== undefined) requests[from]--;
    if (to !== undefined) requests[to]++;
    if (requests.waiting > 0 || requests.running > 0) this.#adapters.set(name, requests);
    else this.#adapters.delete(name);
  }

  /** Forgets all requests: the instance was disposed. */
  clear(): void {
    this.#adapters.clear();
  }
}

/** A name inside a comma-separated label value. */
function encodeName(name: string): string {
  return name.toWellFormed().replace(/[%,]/g, (char) => (char === '%' ? '%25' : '%2C'));
}

function listOf(names: Iterable<string>): string {
  return [...new Set([...names].map(encodeName))].sort().join(',');
}

function sampleOf(maxLora: number | undefined, trackers: readonly LoraTracker[]): ComputedSample | undefined {
  const waiting = listOf(trackers.flatMap((tracker) => tracker.in('waiting')));
  const running = listOf(trackers.flatMap((tracker) => tracker.in('running')));
  // With `max_lora` routers look for the series while it is idle too, as Python shows it.
  if (waiting === '' && running === '' && maxLora === undefined) return undefined;
  const labels = {
    ...(maxLora !== undefined && { max_lora: String(maxLora) }),
    waiting_lora_adapters: waiting,
    running_lora_adapters: running,
  };
  const now = Date.now();
  return { labels, value: now / 1000, setAt: { [maxLora ?? '']: now } };
}

/** One series over all instances of a registry, or one per `maxLora`; without it none while no adapter is live. */
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

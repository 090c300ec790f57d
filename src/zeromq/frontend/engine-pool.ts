import { concat, defer, from, type Observable, Subject } from 'rxjs';
import type { EngineReady } from '../../engine-core/engine-ready.js';
import { EngineLink } from './engine-link.js';

/** How an engine stands. */
export interface EngineStatus {
  readonly engineIndex: number;
  readonly state: 'ready' | 'lost';
  /** What made it so, in words. */
  readonly reason: string;
}

/** The engines of a client: who is there, and who is least loaded. */
export class EnginePool {
  /** In ascending order. */
  readonly links: readonly EngineLink[];
  /** The last ready response of each that ever was ready. */
  readonly ready: Map<number, EngineReady> = new Map();
  readonly changes: Subject<EngineStatus> = new Subject();
  /** The present states, then each change. */
  readonly status$: Observable<EngineStatus> = defer(() => concat(from(this.#present()), this.changes));

  constructor(indexes: readonly number[]) {
    this.links = indexes.toSorted((a, b) => a - b).map((index) => new EngineLink(index));
  }

  get(engineIndex: number): EngineLink | undefined {
    return this.links.find((link) => link.engineIndex === engineIndex);
  }

  get serving(): readonly EngineLink[] {
    return this.links.filter(({ state }) => state === 'ready');
  }

  get missing(): readonly EngineLink[] {
    return this.links.filter(({ state }) => state !== 'ready');
  }

  /**
   * The engine with the fewest requests, by its own count or by ours, whichever is more; the first of equals.
   * @see rust/src/engine-core-client: the choice without a coordinator
   */
  leastLoaded(): EngineLink | undefined {
    let chosen: EngineLink | undefined;
    for (const link of this.serving) if (chosen === undefined || loadOf(link) < loadOf(chosen)) chosen = link;
    return chosen;
  }

  becameReady(link: EngineLink, ready: EngineReady): void {
    link.state = 'ready';
    link.reason = 'it said that it is ready';
    link.heardAt = performance.now();
    this.ready.set(link.engineIndex, ready);
    this.changes.next({ engineIndex: link.engineIndex, state: 'ready', reason: link.reason });
  }

  #present(): readonly EngineStatus[] {
    return this.links
      .filter(({ state }) => state === 'ready' || state === 'leaving' || state === 'lost')
      .map(({ engineIndex, state, reason }) => ({
        engineIndex,
        state: state === 'lost' ? 'lost' : 'ready',
        reason,
      }));
  }
}

function loadOf({ inFlight, load }: EngineLink): number {
  return Math.max(inFlight, load);
}

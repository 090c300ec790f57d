/** What a request is, and what will become of it. */
import type { ParallelSampling } from '../../../src/index.js';
import type { ReferenceParent } from '../../model/request.js';
import { Lottery, type Random } from '../random.js';

/** Endings that the engine, the router or the client brings about; `late` is read when it is long under way. */
export type Fate =
  | 'stop'
  | 'length'
  | 'repetition'
  | 'engine error'
  | 'engine abort'
  | 'unknown reason'
  | 'dropped by the engine'
  | 'unsubscribe'
  | 'unsubscribe inside next'
  | 'stop string'
  | 'consumer throws'
  | 'complete without finish'
  | 'late';

const FATES = new Lottery<Fate>([
  ['stop', 56],
  ['length', 20],
  ['repetition', 1],
  ['engine error', 2],
  ['engine abort', 1],
  ['unknown reason', 1],
  ['dropped by the engine', 2],
  ['unsubscribe', 5],
  ['unsubscribe inside next', 5],
  ['stop string', 2],
  ['consumer throws', 2],
  ['complete without finish', 2],
  ['late', 1],
]);

const USUAL: readonly Fate[] = ['stop', 'length'];

/** The n sequences of one parent, and what the driver knows of them. */
export interface Family {
  readonly parent: ParallelSampling;
  readonly reference: ReferenceParent;
}

export interface Plan {
  readonly id: string;
  readonly engineIndex: number;
  readonly numPromptTokens: number;
  readonly numOutputTokens: number;
  readonly fate: Fate;
  /** After how many outputs a client that leaves, leaves. */
  readonly at: number;
  readonly loraName: string | undefined;
  readonly family: Family | undefined;
}

export function drawPlan(random: Random, id: string, engineIndex: number, family?: Family): Plan {
  const fate = FATES.draw(random);
  const least = fate === 'unsubscribe' ? 0 : 1;
  return {
    id,
    engineIndex,
    numPromptTokens: 1 + random.below(64),
    numOutputTokens: 1 + random.below(8),
    fate,
    at: least + random.below(4),
    loraName: random.chance(0.1) ? `adapter-${random.below(8)}` : undefined,
    family,
  };
}

export function isFault(fate: Fate): boolean {
  return !USUAL.includes(fate);
}

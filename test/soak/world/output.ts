/** What the engine says of one request in one step, odd things included. */
import type { EngineCoreEvent, EngineCoreOutput, FinishReason, PrefillStats } from '../../../src/index.js';
import type { Ledger } from '../ledger.js';
import { Lottery, type Random } from '../random.js';
import type { Plan } from './plan.js';

const TOKENS: readonly (readonly number[])[] = [[], [1], [1, 2], [1, 2, 3]];
const HOW_MANY = new Lottery([
  [1, 8],
  [2, 1],
  [3, 1],
]);

type Malformed = readonly [kind: string, fields: Readonly<Record<string, unknown>>];

const ODD_FIRST = new Lottery<Malformed>([
  [['prefill parts that do not add up', { prefillStats: { numPromptTokens: 9, numComputedTokens: 3 } }], 1],
  [['prefill stats that are no struct', { prefillStats: 'x' }], 1],
  [['events that are no list', { events: 5 }], 1],
  [['queued at no time', { events: [{ type: 'queued', timestamp: Number.NaN }] }], 1],
]);

const ODD_LATER = new Lottery<Malformed>([
  [['unknown event', { events: [{ type: 'exploded', timestamp: 1 }] }], 1],
  [['tokens that are no list', { newTokenIds: 7 }], 1],
  [['negative NaN count', { numNansInLogits: -1 }], 1],
  [['NaNs in logits', { numNansInLogits: 2 }], 1],
]);

const REASONS: Readonly<Partial<Record<Plan['fate'], string>>> = {
  length: 'length',
  repetition: 'repetition',
  'engine error': 'error',
  'engine abort': 'abort',
  'unknown reason': 'exploded',
};

interface Step {
  readonly output: EngineCoreOutput;
  readonly ends: boolean;
}

/** One request inside the engine. */
export class Sequence {
  readonly plan: Plan;
  readonly #queued: number;
  #left: number;
  #sent = 0;

  constructor(plan: Plan, queued: number) {
    this.plan = plan;
    this.#queued = queued;
    this.#left = plan.numOutputTokens;
  }

  /** True if it ends with nothing but its name in `finishedRequests`. */
  get isDropped(): boolean {
    return this.plan.fate === 'dropped by the engine' && this.#sent >= this.plan.at;
  }

  /** Its part of this step; `ends` tells whether it was the last. */
  step(random: Random, now: number, ledger: Ledger): Step {
    const isFirst = this.#sent++ === 0;
    const numTokens = isFirst && random.chance(0.05) ? 0 : Math.min(this.#left, HOW_MANY.draw(random));
    const ends = this.#left === 0 || (this.#left === numTokens && !this.#endsEmpty);
    this.#left -= numTokens;
    const output: EngineCoreOutput = {
      requestId: this.plan.id,
      newTokenIds: TOKENS[numTokens]!,
      finishReason: ends ? this.#finishReason : undefined,
      events: this.#events(isFirst, random, now, ledger),
      prefillStats: isFirst ? this.#prefill(random) : undefined,
      numNansInLogits: 0,
    };
    return {
      output: ends || !random.chance(0.02) ? output : malformed(output, isFirst, random, ledger),
      ends,
    };
  }

  /** An engine that fails, or stops a request, says so in an output of its own. */
  get #endsEmpty(): boolean {
    return this.plan.fate === 'engine error' || this.plan.fate === 'engine abort';
  }

  get #finishReason(): FinishReason {
    return (REASONS[this.plan.fate] ?? 'stop') as FinishReason;
  }

  #events(isFirst: boolean, random: Random, now: number, ledger: Ledger): EngineCoreEvent[] | undefined {
    const scheduled: EngineCoreEvent = { type: 'scheduled', timestamp: now };
    if (isFirst) return [{ type: 'queued', timestamp: this.#queued }, scheduled];
    if (!random.chance(0.03)) return undefined;
    ledger.fault('preemption');
    const preempted: EngineCoreEvent = { type: 'preempted', timestamp: now };
    return random.chance(0.5) ? [preempted, scheduled] : [preempted];
  }

  #prefill(random: Random): PrefillStats | undefined {
    if (random.chance(0.1)) return undefined;
    const numPromptTokens = this.plan.numPromptTokens;
    const numLocalCachedTokens = random.chance(0.3) ? random.below(numPromptTokens) : 0;
    const left = numPromptTokens - numLocalCachedTokens;
    const numExternalCachedTokens = random.chance(0.1) ? random.below(left) : 0;
    const numComputedTokens = left - numExternalCachedTokens;
    const numCachedTokens = numLocalCachedTokens + numExternalCachedTokens;
    return {
      numPromptTokens,
      numComputedTokens,
      numCachedTokens,
      numLocalCachedTokens,
      numExternalCachedTokens,
    };
  }
}

function malformed(
  output: EngineCoreOutput,
  isFirst: boolean,
  random: Random,
  ledger: Ledger,
): EngineCoreOutput {
  const [kind, fields] = (isFirst ? ODD_FIRST : ODD_LATER).draw(random);
  ledger.fault(kind);
  return { ...output, ...fields };
}

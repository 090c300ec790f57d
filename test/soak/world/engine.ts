/** A fake engine: every request that runs on it gets an output in most steps. */
import type { EngineCoreOutput, EngineCoreOutputs, SchedulerStats } from '../../../src/index.js';
import type { Ledger } from '../ledger.js';
import type { Random } from '../random.js';
import { Sequence } from './output.js';
import type { Plan } from './plan.js';
import { drawStats } from './stats.js';

/** What an engine sends after an abort. */
export type AbortReply = 'final output' | 'finished requests' | 'silent';

export class Engine {
  readonly index: number;
  readonly #random: Random;
  readonly #ledger: Ledger;
  readonly #replies: readonly AbortReply[];
  readonly #running: Sequence[] = [];
  readonly #aborted = new Set<string>();
  #extra: EngineCoreOutput[] = [];
  #finished: string[] = [];

  constructor(index: number, random: Random, ledger: Ledger, replies: readonly AbortReply[]) {
    this.index = index;
    this.#random = random;
    this.#ledger = ledger;
    this.#replies = replies;
  }

  get isIdle(): boolean {
    return this.#running.length === 0 && this.#extra.length === 0 && this.#finished.length === 0;
  }

  add(plan: Plan, now: number): void {
    this.#running.push(new Sequence(plan, now));
  }

  abort(id: string): void {
    this.#aborted.add(id);
  }

  /** The process died: it says no more of anybody. */
  crash(): void {
    this.#running.length = 0;
    this.#aborted.clear();
    this.#extra = [];
    this.#finished = [];
  }

  step(now: number): EngineCoreOutputs {
    const outputs = this.#extra;
    const finishedRequests = this.#finished;
    this.#extra = [];
    this.#finished = [];
    for (let i = this.#running.length - 1; i >= 0; i--)
      if (!this.#random.chance(0.25)) this.#advance(i, outputs, now);
    const schedulerStats = this.#random.chance(0.9) ? this.#stats() : undefined;
    return { engineIndex: this.index, outputs, timestamp: now, schedulerStats, finishedRequests };
  }

  #stats(): SchedulerStats {
    return drawStats(this.#random, this.#running.length, this.#ledger);
  }

  #advance(i: number, outputs: EngineCoreOutput[], now: number): void {
    const sequence = this.#running[i]!;
    const { id } = sequence.plan;
    if (this.#aborted.delete(id)) {
      this.#remove(i);
      this.#reply(id, sequence, outputs, now);
    } else if (sequence.isDropped) {
      this.#remove(i);
      this.#finished.push(id);
    } else {
      const { output, ends } = sequence.step(this.#random, now, this.#ledger);
      outputs.push(output);
      if (!ends) return;
      this.#remove(i);
      if (this.#random.chance(0.01)) this.#again(output);
    }
  }

  /** After an abort a last output may already have been under way. */
  #reply(id: string, sequence: Sequence, outputs: EngineCoreOutput[], now: number): void {
    const reply = this.#random.pick(this.#replies);
    if (this.#random.chance(0.2) && !sequence.isDropped) {
      const { output, ends } = sequence.step(this.#random, now, this.#ledger);
      this.#ledger.fault('output after the abort');
      outputs.push(output);
      if (ends) return;
    }
    if (reply === 'finished requests') this.#finished.push(id);
    else if (reply === 'final output')
      this.#extra.push({ requestId: id, newTokenIds: [], finishReason: 'abort' });
    else this.#ledger.fault('abort without a reply');
  }

  #again(output: EngineCoreOutput): void {
    this.#ledger.fault('second final output');
    this.#extra.push(output);
  }

  #remove(i: number): void {
    const last = this.#running.pop()!;
    if (i < this.#running.length) this.#running[i] = last;
  }
}

import { type SchedulerLike, Subscription } from 'rxjs';
import type { EngineCoreOutput, EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { EngineConfig } from '../config/engine-config.js';
import { SeededRandom } from '../random.js';
import type { SimulatedRequest } from '../request.js';
import { AbortReplies } from './abort-replies.js';
import { collectOutputs } from './collect-outputs.js';
import { coreBatch } from './core-messages.js';
import { EngineClock } from './engine-clock.js';
import { EngineState } from './engine-state.js';
import { endingOf, LiveRequest } from './live-request.js';
import { scheduleStep } from './schedule-step.js';
import { takeSchedulerStats } from './scheduler-stats.js';
import { StepPlan, stepDuration } from './step-plan.js';

/** Who hears of an engine's batches, and of its idleness. */
export interface EngineHost {
  batch(batch: EngineCoreOutputs): void;
  idle(): void;
}

/** One engine: step after step while it has requests, nothing scheduled while it has none. */
export class SimulatedEngine {
  readonly index: number;
  readonly #config: EngineConfig;
  readonly #scheduler: SchedulerLike;
  readonly #host: EngineHost;
  readonly #random: SeededRandom;
  readonly #clock: EngineClock;
  readonly #plan: StepPlan = new StepPlan();
  #state: EngineState;
  #replies: AbortReplies;
  #timer: Subscription | undefined = undefined;
  #inStep = false;
  /** An abort changed what the last batch said; as upstream, one more batch follows even if nothing runs. */
  #owesStats = false;

  constructor(index: number, config: EngineConfig, seed: number, scheduler: SchedulerLike, host: EngineHost) {
    this.index = index;
    this.#config = config;
    this.#scheduler = scheduler;
    this.#host = host;
    this.#random = new SeededRandom(seed, index);
    this.#clock = new EngineClock(scheduler, 1000 + Math.floor(this.#random.next() * 1e6));
    this.#state = new EngineState(config, this.#random);
    this.#replies = new AbortReplies(config.abortReply);
  }

  get state(): EngineState {
    return this.#state;
  }

  get isIdle(): boolean {
    return this.#timer === undefined;
  }

  submit(request: SimulatedRequest): void {
    const live = new LiveRequest(request, endingOf(request, this.#config, this.#random));
    this.#state.add(live, this.#clock.now());
    this.#wake();
  }

  abort(id: string): void {
    const request = this.#state.live.get(id);
    if (request === undefined) return;
    this.#state.drop(request);
    this.#replies.add(request);
    this.#owesStats = true;
    this.#wake();
  }

  /** Forgets everything; nothing is sent. */
  stop(): void {
    this.#timer?.unsubscribe();
    this.#timer = undefined;
    this.#inStep = false;
    this.#owesStats = false;
    const { currentWave } = this.#state;
    this.#state = new EngineState(this.#config, this.#random);
    this.#state.currentWave = currentWave;
    this.#replies = new AbortReplies(this.#config.abortReply);
  }

  /** Ends a wave: all engines are idle. One of them tells. */
  completeWave(tells: boolean): void {
    const wave = this.#state.currentWave++;
    this.#state.stepCounter = 0;
    if (tells) this.#host.batch(coreBatch(this.index, [], undefined, this.#clock.now(), undefined, wave));
  }

  #wake(): void {
    // A turn later, so that requests of one moment share a step.
    if (this.#timer === undefined) this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    const timer = new Subscription();
    this.#timer = timer;
    timer.add(this.#scheduler.schedule<SimulatedEngine>(turn, delayMs, this));
  }

  /** Called by the scheduler only. */
  turn(): void {
    const timer = this.#timer;
    if (this.#inStep || this.#owesStats) this.#send();
    if (this.#timer !== timer) return; // a subscriber stopped the engine
    if (this.#state.live.size > 0) this.#beginStep();
    else if (this.#owesStats) this.#schedule(0);
    else {
      this.#timer = undefined;
      this.#host.idle();
    }
  }

  #beginStep(): void {
    scheduleStep(this.#state, this.#plan, this.#clock.now());
    this.#inStep = true;
    this.#schedule(stepDuration(this.#config.stepTime, this.#plan, this.#random));
  }

  #send(): void {
    const plan = this.#inStep ? this.#plan : undefined;
    const outputs: EngineCoreOutput[] = this.#inStep ? collectOutputs(this.#state) : [];
    this.#inStep = false;
    this.#owesStats = false;
    this.#replies.moveOutputsTo(outputs);
    if (this.#config.dataParallel && plan !== undefined) this.#state.stepCounter++;
    const stats = takeSchedulerStats(this.#state, plan);
    this.#host.batch(
      coreBatch(this.index, outputs, stats, this.#clock.now(), this.#replies.takeIds(), undefined),
    );
  }
}

/** One function for all engines: no closure a step. */
function turn(engine?: SimulatedEngine): void {
  engine?.turn();
}

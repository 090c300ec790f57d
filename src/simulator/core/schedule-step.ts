import type { EngineState } from './engine-state.js';
import type { LiveRequest } from './live-request.js';
import { scheduleWaiting } from './schedule-waiting.js';
import type { StepPlan } from './step-plan.js';

/**
 * Plans one step: running requests first, then, unless somebody was preempted, waiting ones.
 * `now` in seconds, engine clock.
 * @see vllm/v1/core/sched/scheduler.py `schedule`
 */
export function scheduleStep(state: EngineState, plan: StepPlan, now: number): void {
  plan.reset(state.config.maxNumBatchedTokens);
  scheduleRunning(state, plan, now);
  if (plan.numPreempted === 0) scheduleWaiting(state, plan, now);
}

function scheduleRunning(state: EngineState, plan: StepPlan, now: number): void {
  const { running, pool } = state;
  for (let i = 0; i < running.length && plan.tokenBudget > 0; i++) {
    const request = running[i]!;
    const missing = request.numTokens - request.numComputedTokens;
    const decodes = missing === 1 && request.numOutputTokens > 0;
    const wanted = decodes ? 1 + draftLength(state, request) : missing;
    const numTokens = Math.min(wanted, plan.tokenBudget);
    while (!pool.allocate(request, request.numComputedTokens + numTokens, now)) {
      const youngest = running.pop()!; // `request` itself is still in it
      state.preempt(youngest, now);
      plan.numPreempted++;
      if (youngest === request) return;
    }
    plan.grant(request, numTokens, decodes);
  }
}

/** Tokens to draft: none beyond the model's length. */
function draftLength({ config }: EngineState, request: LiveRequest): number {
  if (config.specDecoding === undefined) return 0;
  return Math.min(config.specDecoding.numSpecTokens, config.maxModelLen - request.numTokens);
}

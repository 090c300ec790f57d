import type { PrefillStats } from '../../engine-core/engine-core-outputs.js';
import type { EngineState } from './engine-state.js';
import type { LiveRequest } from './live-request.js';
import type { StepPlan } from './step-plan.js';

/** Admits waiting requests in order, until budget, sequences or blocks run out. */
export function scheduleWaiting(state: EngineState, plan: StepPlan, now: number): void {
  const { waiting, deferred, running, loras, config } = state;
  if (loras.takeFreed()) retryDeferred(state);
  while (plan.tokenBudget > 0 && running.length < config.maxNumSeqs) {
    const request = waiting.head;
    if (request === undefined) return;
    if (!loras.admits(request.loraName)) {
      waiting.remove(request);
      deferred.push(request);
    } else if (!admit(state, plan, request, now)) return;
  }
}

/** Deferred requests are older than those that passed them. */
function retryDeferred({ waiting, deferred }: EngineState): void {
  for (let request = deferred.pop(); request !== undefined; request = deferred.pop())
    waiting.unshift(request);
}

function admit(state: EngineState, plan: StepPlan, request: LiveRequest, now: number): boolean {
  const { config, pool, connector } = state;
  const hits = pool.countHits(request);
  // A fully cached prompt still computes its last token, or there were nothing to sample from.
  const local = Math.min(hits * config.blockSize, request.numTokens - 1);
  const missing = request.numTokens - local;
  const matched = connector === undefined ? 0 : connector.match(request, missing);
  if (!config.chunkedPrefill && missing - matched > plan.tokenBudget) return false;
  // Room for all of it, not for the first chunk only: else it would be the first one preempted.
  if (!pool.hasRoom(request, hits)) return false;
  state.waiting.remove(request);
  pool.share(request, hits, now);
  const external = connector === undefined ? 0 : connector.load(request, missing, matched);
  lookedUp(state, request, local, external);
  start(state, plan, request, now, local + external);
  return true;
}

function lookedUp(state: EngineState, request: LiveRequest, local: number, external: number): void {
  if (state.config.prefixCaching) state.lookUps.record(request.numTokens, local, request.numPreemptions > 0);
  state.connector?.save(request.numTokens - local - external);
  if (!request.wasScheduled) request.prefillStats = prefillStatsOf(request.numPromptTokens, local, external);
  request.wasScheduled = true;
}

function start(state: EngineState, plan: StepPlan, request: LiveRequest, now: number, cached: number): void {
  request.numComputedTokens = cached;
  const numTokens = Math.min(request.numTokens - cached, plan.tokenBudget);
  state.pool.allocate(request, cached + numTokens, now);
  state.loras.acquire(request.loraName);
  state.running.push(request);
  request.tell('scheduled', now);
  plan.grant(request, numTokens, false);
}

function prefillStatsOf(numPromptTokens: number, local: number, external: number): PrefillStats {
  return {
    numPromptTokens,
    numComputedTokens: numPromptTokens - local - external,
    numCachedTokens: local + external,
    numLocalCachedTokens: local,
    numExternalCachedTokens: external,
    numCacheCreationTokens: 0,
  };
}

import type { EngineCoreOutput } from '../../engine-core/engine-core-outputs.js';
import { coreOutput, tokenIds } from './core-messages.js';
import type { EngineState } from './engine-state.js';
import type { LiveRequest } from './live-request.js';

/**
 * Ends a step: every request that has all its tokens computed samples one, or more of a draft. Finished ones
 * leave, their blocks are free at once.
 * @see vllm/v1/core/sched/scheduler.py `update_from_output`
 */
export function collectOutputs(state: EngineState): EngineCoreOutput[] {
  const { running } = state;
  const outputs: EngineCoreOutput[] = [];
  let kept = 0;
  for (let i = 0; i < running.length; i++) {
    const request = running[i]!;
    const output = request.numScheduledTokens === 0 ? undefined : advance(state, request);
    if (output !== undefined) outputs.push(output);
    if (output !== undefined && output.finishReason !== undefined) state.finish(request, true);
    else running[kept++] = request;
  }
  running.length = kept;
  return outputs;
}

/** The request's output of this step; none while its prefill goes on. */
function advance(state: EngineState, request: LiveRequest): EngineCoreOutput | undefined {
  const numDrafted = request.numDraftTokens;
  request.numComputedTokens += request.numScheduledTokens - numDrafted;
  request.numScheduledTokens = 0;
  if (request.numComputedTokens < request.numTokens) return undefined;
  const left = request.targetTokens - request.numOutputTokens;
  if (left === 0) return coreOutput(request, tokenIds(0), request.reason);
  const accepted = numDrafted === 0 ? 0 : state.specDecoder!.verify(numDrafted, left - 1); // drafts imply it
  request.numComputedTokens += accepted;
  request.numOutputTokens += 1 + accepted;
  const ends = left === 1 + accepted && !request.endsEmpty;
  return coreOutput(request, tokenIds(1 + accepted), ends ? request.reason : undefined);
}

import { assertObject, assertWholeNumber } from '../checks.js';
import type { ServingCore } from '../engines/serving-core.js';
import { liveHandle } from './live-handle.js';
import type { RequestHandle } from './request-handle.js';
import { planRequest, promptLengthOf, type RequestInfo } from './request-info.js';

/** A gateway with one upstream need not name it; an engine's page without the right engine would lie. */
function engineOf({ engineIndex }: RequestInfo, core: ServingCore): number {
  if ((engineIndex === undefined || engineIndex === null) && core.profile === 'gateway') return 0;
  assertWholeNumber('startRequest.engineIndex', engineIndex);
  return engineIndex;
}

/** @throws {TypeError | RangeError} if the request is no object, or its prompt length or engine is bad. */
export function startRequest(core: ServingCore, request: RequestInfo): RequestHandle {
  assertObject('startRequest.request', request);
  promptLengthOf('startRequest.numPromptTokens', request);
  const engineIndex = engineOf(request, core);
  const plan = planRequest(request, engineIndex, undefined, core.diagnostics);
  return liveHandle(core, core.activeEngine(engineIndex), plan);
}

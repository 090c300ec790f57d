import { VirtualTimeScheduler } from 'rxjs';
import type { EngineCoreOutput, EngineCoreOutputs } from '../../src/engine-core/engine-core-outputs.js';
import {
  type EngineFleet,
  type SimulatedRequest,
  type SimulatorOptions,
  type SubmittedRequest,
  simulateEngines,
} from '../../src/simulator/index.js';

/** Options of a run; what is left out is one engine, seed 1 and virtual time. */
export type RunOptions = Partial<SimulatorOptions>;

/** What a run sent, in order. */
export interface Run {
  readonly fleet: EngineFleet;
  readonly batches: EngineCoreOutputs[];
  readonly submitted: SubmittedRequest[];
  readonly scheduler: VirtualTimeScheduler;
  completed: boolean;
  error: unknown;
}

/** A fleet in virtual time that has not started to move. */
export function fleetOf(options: RunOptions, onBatch?: (batch: EngineCoreOutputs, run: Run) => void): Run {
  const scheduler = new VirtualTimeScheduler();
  const fleet = simulateEngines({ engines: 1, seed: 1, scheduler, ...options });
  const run: Run = { fleet, batches: [], submitted: [], scheduler, completed: false, error: undefined };
  fleet.submitted$.subscribe({ next: (value) => run.submitted.push(value), error: () => {} });
  fleet.batches$.subscribe({
    next: (batch) => {
      run.batches.push(batch);
      onBatch?.(batch, run);
    },
    error: (error) => {
      run.error = error;
    },
    complete: () => {
      run.completed = true;
    },
  });
  return run;
}

/** Runs all `requests` to their ends. */
export function runFleet(options: RunOptions, onBatch?: (batch: EngineCoreOutputs, run: Run) => void): Run {
  const run = fleetOf(options, onBatch);
  run.scheduler.flush();
  return run;
}

/** A request of 10 prompt and 3 output tokens, unless told otherwise. */
export function request(requestId: string, partial: Partial<SimulatedRequest> = {}): SimulatedRequest {
  return { requestId, numPromptTokens: 10, numOutputTokens: 3, ...partial };
}

/** All outputs, or those of one request, in order. */
export function outputsOf(run: Run, requestId?: string): EngineCoreOutput[] {
  const outputs = run.batches.flatMap((batch) => batch.outputs);
  return requestId === undefined ? outputs : outputs.filter((output) => output.requestId === requestId);
}

/** Sum of a figure over all batches. */
export function total(run: Run, figure: (batch: EngineCoreOutputs) => number | null | undefined): number {
  return run.batches.reduce((sum, batch) => sum + (figure(batch) ?? 0), 0);
}

/** The test's own chance, so that it shares nothing with what it tests (Park and Miller). */
export function minimalStandard(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
}

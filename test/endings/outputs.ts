import type { EngineCoreStreamOutput, FinishReason } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import type { OutputKind } from './spec.js';

const tokens: Readonly<Record<OutputKind, number>> = {
  token: 1,
  three: 3,
  empty: 0,
  preempted: 1,
  final: 1,
  'final empty': 0,
  'final unheard of': 2,
};

const reasons: Readonly<Partial<Record<OutputKind, string>>> = {
  final: 'stop',
  'final empty': 'length',
  'final unheard of': 'toString',
};

/** An output of its kind; `timestamp` tells it from all others. */
export function outputOf(kind: OutputKind, timestamp: number, requestId = 'nobody'): EngineCoreStreamOutput {
  const finishReason = reasons[kind] as FinishReason | undefined;
  return engineOutput(tokens[kind], {
    timestamp,
    requestId,
    ...(finishReason !== undefined && { finishReason }),
    ...(kind === 'preempted' && { events: [{ type: 'preempted' as const, timestamp }] }),
  });
}

export function isFinal({ output }: EngineCoreStreamOutput): boolean {
  return output.finishReason !== undefined;
}

import type { EngineCoreEventType, FinishReason } from '../../engine-core/engine-core-event.js';
import { refuse } from '../fields/field-type.js';

/** By their number on the wire. */
export const FINISH_REASONS: readonly FinishReason[] = ['stop', 'length', 'abort', 'error', 'repetition'];

/** By their number on the wire, which starts at 1. */
export const EVENT_TYPES: readonly (EngineCoreEventType | undefined)[] = [
  undefined,
  'queued',
  'scheduled',
  'preempted',
];

/** The number of a name; an unknown one's decimal text, as the decoder gives it, is its number. Throws for others. */
export function numberOf(names: readonly (string | undefined)[], value: unknown, path: string): number {
  const known = names.indexOf(value as string | undefined);
  if (known >= 0) return known;
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? refuse(path, `one of ${names.filter(Boolean).join(', ')}`, value) : number;
}

import type { FinishReason } from '../../engine-core/engine-core-event.js';

/** A switch, not a look-up in a record: that would let `'toString'` in. */
export function isFinishReason(value: unknown): value is FinishReason {
  switch (value) {
    case 'stop':
    case 'length':
    case 'abort':
    case 'error':
    case 'repetition':
      return true;
    default:
      return false;
  }
}

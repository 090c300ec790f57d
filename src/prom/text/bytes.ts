/** Text to bytes and back: with Node's Buffer where there is one, else with the encoding API. */

const hasBuffer = typeof Buffer === 'function';

/** Memory for `size` bytes, not cleared where the runtime allows. */
export function allocate(size: number): Uint8Array {
  return hasBuffer ? Buffer.allocUnsafeSlow(size) : new Uint8Array(size);
}

/** How many bytes `text` takes as UTF-8. */
export function byteLength(text: string): number {
  return hasBuffer ? Buffer.byteLength(text) : new TextEncoder().encode(text).length;
}

/**
 * Writes `text` as UTF-8 into memory of {@link allocate} and returns how many bytes; a lone surrogate becomes U+FFFD.
 * Text that is not wide is ASCII, which is 5 × cheaper to write as latin1.
 */
export function writeText(target: Uint8Array, text: string, at: number, wide: boolean): number {
  if (hasBuffer) return (target as Buffer).write(text, at, wide ? 'utf8' : 'latin1');
  return new TextEncoder().encodeInto(text, target.subarray(at)).written;
}

/** The text of the bytes from `start` to before `end`, of memory from {@link allocate}. */
export function readText(source: Uint8Array, start: number, end: number, wide: boolean): string {
  if (hasBuffer) return (source as Buffer).toString(wide ? 'utf8' : 'latin1', start, end);
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(source.subarray(start, end));
}

/** Copies the bytes from `start` to before `end` to `at` of `target`, which may be `source` itself. */
export function moveBytes(
  source: Uint8Array,
  start: number,
  end: number,
  target: Uint8Array,
  at: number,
): void {
  // copyWithin makes no view, which would cost more than moving a line does.
  if (source === target) target.copyWithin(at, start, end);
  else target.set(source.subarray(start, end), at);
}

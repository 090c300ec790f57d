/** Text to bytes and back: with Node's Buffer where there is one, else with the encoding API. */

const hasBuffer = typeof Buffer === 'function';

/** Memory for `size` bytes, not cleared where the runtime allows. */
export function allocate(size: number): Uint8Array {
  return hasBuffer ? Buffer.allocUnsafeSlow(size) : new Uint8Array(size);
}

/** The UTF-8 bytes of `text`; a lone surrogate becomes U+FFFD. For ASCII, latin1 is 5 × cheaper than UTF-8. */
export function encode(text: string, wide: boolean): Uint8Array {
  return hasBuffer ? Buffer.from(text, wide ? 'utf8' : 'latin1') : new TextEncoder().encode(text);
}

/** How many bytes `text` takes as UTF-8. */
export function byteLength(text: string): number {
  return hasBuffer ? Buffer.byteLength(text) : new TextEncoder().encode(text).length;
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

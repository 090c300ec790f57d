/** Up to three bytes as one word. */
function shortWord(view: DataView, at: number, length: number): number {
  let word = 0;
  for (let i = 0; i < length; i++) word |= view.getUint8(at + i) << (8 * i);
  return word;
}

/** The bytes at the end that fill no word of their own: the last four, some of them again; or all, if there are fewer. */
function lastWord(view: DataView, at: number, length: number): number {
  return length < 4 ? shortWord(view, at, length) : view.getInt32(at + length - 4, true);
}

/** The bytes of a text in words of 32 bits: a request id has some 60, and is compared in each step. */
export function wordsOf(view: DataView, at: number, length: number): number[] {
  const words: number[] = [];
  for (let i = 0; i + 4 <= length; i += 4) words.push(view.getInt32(at + i, true));
  if ((length & 3) !== 0) words.push(lastWord(view, at, length));
  return words;
}

/** True if these words stand at `at`; the caller knows that `length` is theirs. Ids begin alike: the end comes first. */
export function standAt(words: readonly number[], view: DataView, at: number, length: number): boolean {
  const whole = length >> 2;
  if ((length & 3) !== 0 && lastWord(view, at, length) !== words[whole]) return false;
  for (let i = whole - 1; i >= 0; i--) if (view.getInt32(at + i * 4, true) !== words[i]) return false;
  return true;
}

/** A hash of 32 bits: multiplying by an odd number spreads the low bits upward, the shift brings them down again. */
export function hashOf(words: readonly number[]): number {
  let hash = words.length;
  for (let i = 0; i < words.length; i++) {
    const product = Math.imul(hash ^ words[i]!, 0x9e3779b1);
    hash = product ^ (product >>> 15);
  }
  return hash;
}

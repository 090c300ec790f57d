/** Text to tokens and back. No model is asked, but equal prompts are equal tokens, so that prefixes are shared. */
import { hashOf, mix, tokenIdOf } from '../../fleet/token-ids.js';

/** A piece of a word with the space before it, a sign, or a space: about four characters, as real ones. */
const PIECE = /\s?[\p{L}\p{N}_]{1,6}|\s?[^\s\p{L}\p{N}_]|\s/gu;

const WORDS: readonly string[] = (
  'the a of and to in is that it for on with as are at by from this be or an not which when all their has more ' +
  'engine token batch queue cache block prompt prefix page stream request answer model step clock metric counter ' +
  'gauge bucket sample series label router client server fleet trace load wait run start end count sum mean time ' +
  'first last next slow fast long short full free new old same other small large one two three each every only'
).split(' ');
/** One token in so many ends a sentence. */
const SENTENCE = 11;

export function tokenize(text: string): number[] {
  return Array.from(text.matchAll(PIECE), ([piece]) => tokenIdOf(hashOf(piece)));
}

/** One number for a prompt: what is answered depends on it. */
export function seedOf(tokenIds: readonly number[]): number {
  return tokenIds.reduce(mix, tokenIds.length);
}

/** The text of an answer's token number `position`, 0 first; the same for the same seed. */
export function tokenText(seed: number, position: number): string {
  const draw = mix(seed, position);
  const word = WORDS[draw % WORDS.length]!;
  const space = position === 0 ? '' : ' ';
  return (draw >>> 16) % SENTENCE === 0 ? `${space}${word}.` : space + word;
}

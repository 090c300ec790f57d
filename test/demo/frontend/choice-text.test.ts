import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChoiceText } from '../../../src/demo/frontend/openai/choice-text.js';
import { tokenize, tokenText } from '../../../src/demo/frontend/openai/tokens.js';

function textOf(seed: number, numTokens: number): string {
  return Array.from({ length: numTokens }, (_, i) => tokenText(seed, i)).join('');
}

const outputs = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 });
const seeds = fc.nat();

it('sends all of a text without a stop string, at once where nothing is in doubt', () => {
  fc.assert(
    fc.property(seeds, outputs, (seed, numTokens) => {
      const text = new ChoiceText(seed, []);
      let sum = 0;
      let sent = '';
      for (const [i, count] of numTokens.entries()) {
        sum += count;
        sent += text.add(count, i === numTokens.length - 1);
        expect(sent).toBe(textOf(seed, sum));
      }
    }),
  );
});

it('sends exactly what stands before the first stop string, however the tokens come', () => {
  fc.assert(
    fc.property(
      seeds,
      outputs,
      fc.nat(),
      fc.integer({ min: 1, max: 9 }),
      (seed, numTokens, place, length) => {
        const whole = textOf(
          seed,
          numTokens.reduce((sum, count) => sum + count, 0),
        );
        const from = place % whole.length;
        const stop = whole.slice(from, from + length);
        const text = new ChoiceText(seed, [stop, 'never there']);
        let sent = '';
        for (const [i, count] of numTokens.entries()) {
          sent += text.add(count, i === numTokens.length - 1);
          expect(whole.slice(0, whole.indexOf(stop)).startsWith(sent)).toBe(true);
          if (text.hasStopped) break;
        }
        expect(text.hasStopped).toBe(true);
        expect(sent).toBe(whole.slice(0, whole.indexOf(stop)));
      },
    ),
  );
});

it('takes equal texts for equal tokens, about four characters each', () => {
  expect(tokenize('The first, the second.')).toEqual(tokenize('The first, the second.'));
  expect(tokenize('the the').slice(1)).not.toEqual(tokenize('the'));
  expect(tokenize('incomprehensible')).toHaveLength(3);
  expect(tokenize('')).toEqual([]);
});

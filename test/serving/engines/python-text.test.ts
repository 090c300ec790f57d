/** Texts as CPython 3.11 prints them (`str`), and where they end. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_TEXT, pythonText } from '../../../src/serving/engines/python-text.js';
import { Rig } from '../../support/rig.js';

describe('a text in a list', () => {
  it.each([
    ['a b', "['a b']"],
    ["it's", '["it\'s"]'],
    ['say "x"', `['say "x"']`],
    [`both ' and "`, `['both \\' and "']`],
    ['\\', "['\\\\']"],
    ['\n\r\t', "['\\n\\r\\t']"],
    ['\x00\x1b\x7f', "['\\x00\\x1b\\x7f']"],
    ['\x80\xa0\xad', "['\\x80\\xa0\\xad']"],
    ['\xff\xe9\u{1f600}', "['\xff\xe9\u{1f600}']"],
    ['\u200b\u2028\u2029\u3000', "['\\u200b\\u2028\\u2029\\u3000']"],
    ['\u0600\ue000\uffff', "['\\u0600\\ue000\\uffff']"],
    ['\u{e0001}\u{10ffff}', "['\\U000e0001\\U0010ffff']"],
  ])('%j is printed as %j', (text, printed) => {
    expect(pythonText([text])).toBe(printed);
  });
});

it.each<[unknown, string]>([
  [
    [null, undefined, true, false, 1, -2.5, 1e-5, Infinity, 7n],
    '[None, None, True, False, 1, -2.5, 1e-05, inf, 7]',
  ],
  [[], '[]'],
  [{}, '{}'],
  [[[], {}], '[[], {}]'],
  [{ a: [1, { b: null }], "it's": 'x' }, "{'a': [1, {'b': None}], \"it's\": 'x'}"],
  [Object.assign(Object.create(null), { a: 1 }), "{'a': 1}"],
])('%o is printed as %s', (value, printed) => {
  expect(pythonText(value)).toBe(printed);
});

it.each([[() => 1], [Symbol('s')], [new Date(0)], [new Map()], [/x/], [new Uint8Array(2)]])(
  '%o has no form, alone or inside',
  (value) => {
    for (const whole of [value, [1, value], { a: value }]) expect(() => pythonText(whole)).toThrow(TypeError);
  },
);

/** The same without an end. */
function whole(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(whole).join(', ')}]`;
  if (typeof value === 'string') return `'${value}'`;
  if (typeof value === 'number') return String(value);
  return `{${Object.entries(value as object)
    .map(([key, held]) => `'${key}': ${whole(held)}`)
    .join(', ')}}`;
}

describe('a long value', () => {
  const letters = (maxLength: number) => fc.string({ unit: fc.constantFrom('a', 'b'), maxLength });
  const leaf = fc.oneof(letters(12), fc.nat({ max: 99 }), letters(1100));
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      leaf,
      fc.array(tie('value'), { maxLength: 90 }),
      fc.dictionary(letters(9), tie('value'), { maxKeys: 60 }),
    ),
  }));

  it('begins as the whole one, and is too long if that is', () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 100 }), (list) => {
        const text = pythonText(list);
        expect(text.slice(0, LONGEST_TEXT)).toBe(whole(list).slice(0, LONGEST_TEXT));
        expect(text.length > LONGEST_TEXT).toBe(whole(list).length > LONGEST_TEXT);
      }),
    );
  });

  // The text reaches the limit after a value, before a comma, before a key.
  it.each([-3, -2, -1, 0, 1, 2, 3])(
    'that reaches the limit in the middle of it is whole or cut: %i',
    (by) => {
      for (const around of [
        (text: string) => [text, 1, 2],
        (text: string) => ({ a: text, b: 1 }),
        (text: string) => ({ [text]: [], b: 1 }),
        (text: string) => [[text], [], {}],
      ]) {
        for (const inside of [0, 2, 4, 6, 8, 10]) {
          const list = around('x'.repeat(LONGEST_TEXT + by - inside));
          expect(pythonText(list).slice(0, LONGEST_TEXT)).toBe(whole(list).slice(0, LONGEST_TEXT));
          expect(pythonText(list).length > LONGEST_TEXT).toBe(whole(list).length > LONGEST_TEXT);
        }
      }
    },
  );

  it('that contains itself ends', () => {
    const list: unknown[] = [1];
    list.push(list, { list });
    expect(pythonText(list).startsWith('[1, [1, [1, ')).toBe(true);
    expect(pythonText(list).length).toBeLessThan(2 * LONGEST_TEXT);
  });

  it.each([
    [LONGEST_TEXT, []],
    [LONGEST_TEXT + 1, [`expected at most ${LONGEST_TEXT} characters, cut it`]],
  ])('of %i characters is on the page, cut and reported where it must be', (length, messages) => {
    const rig = new Rig();
    rig.metrics.setCacheConfig(0, { field: 'x'.repeat(length) });
    expect(rig.diagnostics.map(({ message }) => message)).toEqual(messages);
  });
});

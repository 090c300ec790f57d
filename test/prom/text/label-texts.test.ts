/** Label texts are spelled once and remembered, up to a number and a length. */
import { describe, expect, it } from 'vitest';
import { LabelTexts } from '../../../src/prom/text/label-texts.js';

const of = (texts: LabelTexts, engine: string, model = 'm') => texts.of({ model_name: model, engine });

describe('label texts', () => {
  it('have the labels in order, around `le`', () => {
    const texts = new LabelTexts(['zone', 'engine', 'model_name'], { a: 1, engine: 'lost' });
    expect(texts.of({ zone: 'z', engine: '0', model_name: 'm"' })).toEqual({
      all: '{a="1",engine="0",model_name="m\\"",zone="z"} ',
      beforeLe: 'a="1",engine="0",le="',
      afterLe: '",model_name="m\\"",zone="z"} ',
      wide: false,
    });
  });

  it('have no braces without labels', () => {
    const texts = new LabelTexts([], {});
    expect(texts.of({})).toEqual({ all: ' ', beforeLe: 'le="', afterLe: '"} ', wide: false });
    expect(texts.of({})).toBe(texts.of({}));
  });

  it('have a default label `le` where no bound stands', () => {
    const text = new LabelTexts(['z'], { le: 'x' }).of({ z: '1' });
    expect(text).toMatchObject({ all: '{le="x",z="1"} ', beforeLe: 'le="', afterLe: '",z="1"} ' });
  });

  it.each([['é'], ['\u0080'], ['😀']])('are wide with %j', (value) => {
    expect(of(new LabelTexts(['model_name', 'engine'], {}), value).wide).toBe(true);
    expect(of(new LabelTexts(['model_name', 'engine'], {}), '\u007f').wide).toBe(false);
  });

  it('are one object for equal labels, and others for others', () => {
    const texts = new LabelTexts(['model_name', 'engine'], {});
    expect(of(texts, '0')).toBe(of(texts, '0'));
    expect(new Set([of(texts, '0'), of(texts, '1'), of(texts, '0', 'n'), of(texts, '1')]).size).toBe(3);
    expect(of(texts, '1', 'n').all).toBe('{engine="1",model_name="n"} ');
  });

  it('of more than 512 characters are not remembered', () => {
    const texts = new LabelTexts(['model_name', 'engine'], {});
    const around = of(texts, '', '').all.length;
    const longest = 'x'.repeat(512 - around);
    expect(of(texts, longest, '')).toBe(of(texts, longest, ''));
    expect(of(texts, `${longest}x`, '')).not.toBe(of(texts, `${longest}x`, ''));
  });

  it('are forgotten when there are more than 4,096', () => {
    const texts = new LabelTexts(['model_name', 'engine'], {});
    const first = of(texts, '0');
    for (let i = 1; i < 4096; i++) of(texts, String(i));
    expect(of(texts, '0')).toBe(first);
    of(texts, '4096');
    const again = of(texts, '0');
    expect(again).not.toBe(first);
    for (let i = 1; i < 4095; i++) of(texts, String(i)); // with 4096 and 0: all that there is room for
    expect(of(texts, '0')).toBe(again);
    of(texts, 'one more');
    expect(of(texts, '0')).not.toBe(again);
  });
});

import { expect, it } from 'vitest';
import { EngineChoice } from '../../../src/demo/fleet/engine-choice.js';

it('gives equal loads each their turn', () => {
  const choice = new EngineChoice();
  expect(Array.from({ length: 5 }, () => choice.pick([0, 2, 5], () => 1))).toEqual([0, 2, 5, 0, 2]);
});

it('takes the least loaded one, whose turn it ever is', () => {
  const choice = new EngineChoice();
  const loads = [3, 1, 2];
  expect([0, 1].map(() => choice.pick([0, 1, 2], (index) => loads[index]!))).toEqual([1, 1]);
});

it('goes on with those that are left, and gives none where there is none', () => {
  const choice = new EngineChoice();
  expect([[0, 1, 2], [0, 2], [], [0, 2]].map((left) => choice.pick(left, () => 0))).toEqual([
    0,
    2,
    undefined,
    0,
  ]);
});

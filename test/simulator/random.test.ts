import { expect, it } from 'vitest';
import { SeededRandom } from '../../src/simulator/random.js';

it('draws nothing for what is certain, so that an option that is off changes nothing else', () => {
  const random = new SeededRandom(7, 0);
  expect([random.chance(0), random.chance(1)]).toEqual([false, true]);
  expect(random.next()).toBe(new SeededRandom(7, 0).next());
});

it.each([
  [0, 0],
  [1, 0],
  [1, 1],
  [-5, 3],
])('is uniform for seed %d, stream %d', (seed, stream) => {
  const random = new SeededRandom(seed, stream);
  const tenths = new Array<number>(10).fill(0);
  for (let i = 0; i < 100_000; i++) tenths[Math.floor(random.next() * 10)]!++;
  expect(Math.min(...tenths)).toBeGreaterThan(9600);
  expect(Math.max(...tenths)).toBeLessThan(10_400);
});

it('gives each stream of a seed numbers of its own', () => {
  const first = [0, 1, 2, 3].map((stream) => new SeededRandom(1, stream).next());
  expect(new Set(first).size).toBe(4);
});

it('counts from 1 up to the bound', () => {
  const random = new SeededRandom(3, 0);
  const drawn = new Set(Array.from({ length: 200 }, () => random.upTo(3)));
  expect([...drawn].sort()).toEqual([1, 2, 3]);
});

/** Twelve endings and more, each compared with what plain `defer` + `tap` does. */
import { expect, it } from 'vitest';
import { endings, lostByTap } from './ending-scenarios.js';
import { playBoth } from './rivals.js';

it.each(endings)('ends as plain defer and tap do: %s', (_name, scenario, reasons) => {
  const { ours, plain } = playBoth(scenario);
  expect(ours).toEqual(plain);
  expect(ours.reasons).toEqual(reasons);
});

it.each(lostByTap)('keeps the record that defer and tap lose: %s', (_name, scenario, reasons) => {
  const { ours, plain } = playBoth(scenario);
  expect(ours.log).toEqual(plain.log);
  expect([ours.reasons, plain.reasons]).toEqual([reasons, []]);
});

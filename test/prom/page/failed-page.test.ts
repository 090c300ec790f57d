/** A scrape that fails half way takes the page with it: the next one is made afresh. */
import { afterEach, expect, it, vi } from 'vitest';
import { renderMetrics } from '../../../src/prom/page/render.js';
import { describeFamily, freshCopy, makeRegistry, record, register } from '../../support/registries.js';

afterEach(() => {
  vi.restoreAllMocks();
});

/** A clock by which each slice is over at once, and which breaks at one of its readings. */
function breakClockAt(reading: number): void {
  let readings = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => {
    if (++readings === reading) throw new Error('clock');
    return 10 * readings;
  });
}

const FAMILIES = ['vllm:a', 'vllm:b', 'vllm:c'].map((name) => describeFamily('gauge', name, ['engine']));

it('wherever it failed, whose lines were about to move', async () => {
  const registry = makeRegistry();
  const shared = register(registry, ...FAMILIES);
  const handles = shared.flatMap(({ family }) => ['0', '1', '2'].map((engine) => family.labels(engine)));
  const failures: string[] = [];
  for (let reading = 1; reading <= 12; reading++) {
    await renderMetrics(registry);
    // Longer and shorter by turns: what stands after a line moves.
    for (const [i, handle] of handles.entries()) record(handle, (i + reading) % 2 === 0 ? 1 : 1 / 7);
    breakClockAt(reading);
    await renderMetrics(registry).catch((error: Error) => failures.push(error.message));
    vi.restoreAllMocks();
    expect(await renderMetrics(registry)).toBe(await renderMetrics(freshCopy(registry)));
  }
  expect(failures.length).toBeGreaterThan(3);
  expect(new Set(failures)).toEqual(new Set(['clock']));
});

/** When a request arrived, and how long its parts took, at the edges of what is taken. */
import { expect, it } from 'vitest';
import type { EngineCoreEvent } from '../../../src/index.js';
import { LiveRequest, Rig } from '../../support/rig.js';
import { watched } from '../../support/watched.js';

it.each([
  ['5 ms ago', -5, 1.005, []],
  ['now', 0, 1, []],
  ['in a moment', 500, 1, ['arrivalTimeMs']],
])('an arrival %s', (_, sinceNowMs, e2eLatency, sources) => {
  const rig = new Rig();
  const records = watched(rig);
  const live = rig.request({ arrivalTimeMs: rig.nowMs + sinceNowMs });
  rig.nowMs += 1000;
  live.finish();
  expect(records).toMatchObject([{ e2eLatency }]);
  expect(rig.sources()).toEqual(sources);
});

it("with the host's clock an arrival is taken as it came, to the last bit", () => {
  const rig = new Rig();
  const records = watched(rig);
  const arrivalTimeMs = 0.1;
  expect(rig.nowMs - (rig.nowMs - arrivalTimeMs)).not.toBe(arrivalTimeMs);
  const live = rig.request({ arrivalTimeMs });
  rig.nowMs = 0.2;
  live.finish();
  expect(records).toMatchObject([{ e2eLatency: 0.1 / 1000 }]);
});

it('with the default clock an arrival is a time of the wall clock', () => {
  const rig = new Rig({ clock: undefined as never });
  const records = watched(rig);
  rig.request({ arrivalTimeMs: Date.now() - 60_000 }).finish();
  expect(rig.diagnostics).toEqual([]);
  expect(Math.round(records[0]!.e2eLatency / 60)).toBe(1);
});

it.each(['1000', 1000n, null])('a clock that says %s says nothing', (now) => {
  const rig = new Rig({ clock: { now: () => now as never } });
  const records = watched(rig);
  rig.request().output(1).finish();
  expect(rig.diagnostics).toMatchObject([
    { source: 'timeToFirstTokenSeconds', value: Number.NaN },
    { source: 'e2eRequestLatencySeconds', value: Number.NaN },
  ]);
  expect(records).toMatchObject([{ e2eLatency: 0 }]);
});

it.each([
  [5, 3, 0, ['requestQueueTimeSeconds']],
  [3, 3, 0, []],
  [0, 1e200, 1e200, []],
  [0, 1e300, 0, ['requestQueueTimeSeconds']],
])('queued at %d s and scheduled at %d s waited %d s', (queued, scheduled, queuedTime, sources) => {
  const rig = new Rig();
  const records = watched(rig);
  const events: EngineCoreEvent[] = [
    { type: 'queued', timestamp: queued },
    { type: 'scheduled', timestamp: scheduled },
  ];
  rig.request().output(0, { events }).abort();
  expect(records).toMatchObject([{ queuedTime }]);
  expect(rig.sources()).toEqual(sources);
});

it('a request of one token has no time per token', () => {
  const rig = new Rig();
  const records = watched(rig);
  rig.request().finish({ timestamp: 3 });
  expect(records).toMatchObject([{ numGenerationTokens: 1, meanTimePerOutputToken: 0 }]);
});

it('an argument that throws when read is absent, and what it threw is reported', () => {
  const rig = new Rig();
  const boom = new Error('a getter');
  const request = {
    numPromptTokens: 4,
    engineIndex: 0,
    get maxTokens(): number {
      throw boom;
    },
  };
  new LiveRequest(rig.metrics, request).finish();
  expect(rig.diagnostics).toMatchObject([
    { source: 'maxTokens', message: 'expected a whole number, took it as absent', value: boom },
  ]);
});

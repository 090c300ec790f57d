import { expect, it } from 'vitest';
import type { MultiModalCacheQuery } from '../../../src/simulator/index.js';
import { fleetOf, outputsOf, request, runFleet } from '../run-fleet.js';

it('defers requests beyond maxLoras, lets others pass, and returns to them', () => {
  const lora = (id: string, loraName?: string) => request(id, { loraName, numOutputTokens: 4 });
  const requests = [lora('a1', 'a'), lora('b1', 'b'), lora('a2', 'a'), lora('none'), lora('b2', 'b')];
  const run = runFleet({ requests, maxLoras: 1 });
  const { schedulerStats, outputs } = run.batches[0]!;
  expect(outputs.map(({ requestId }) => requestId)).toEqual(['a1', 'a2', 'none']);
  expect(schedulerStats).toMatchObject({ numRunningReqs: 3, numWaitingReqs: 0, numSkippedWaitingReqs: 2 });
  expect(schedulerStats).toMatchObject({ runningLoraAdapters: {}, waitingLoraAdapters: {} });
  const ends = outputsOf(run).filter(({ finishReason }) => finishReason);
  expect(ends.map(({ requestId }) => requestId)).toEqual(['a1', 'a2', 'none', 'b1', 'b2']);
});

it('gives the adapter slot of a preempted request back', () => {
  const long = ['old', 'young'].map((id) =>
    request(id, { numPromptTokens: 16, numOutputTokens: 20, loraName: id }),
  );
  const later = ['third', 'fourth'].map((id) => request(id, { loraName: id, arrivalTimeMs: 1000 }));
  const run = runFleet({ requests: [...long, ...later], numKvBlocks: 5, blockSize: 8, maxLoras: 2 });
  expect(run.fleet.snapshot(0).numPreemptions).toBe(1);
  expect(run.batches.every((batch) => batch.schedulerStats?.numSkippedWaitingReqs === 0)).toBe(true);
});

it('frees a deferred request that is aborted', () => {
  const requests = ['a', 'b'].map((name) => request(name, { loraName: name }));
  const run = fleetOf({ requests, maxLoras: 1 }, (batch, { fleet }) => {
    if (batch.outputs[0]?.prefillStats) fleet.abort(0, ['b']);
  });
  run.scheduler.flush();
  expect(run.fleet.snapshot(0).numDeferred).toBe(0);
  expect(outputsOf(run, 'b').map(({ finishReason }) => finishReason)).toEqual(['abort']);
});

it('looks multimodal items up in one cache of the frontend, least recently used leaving first', () => {
  const run = fleetOf({ multiModalCacheSize: 2 });
  const queries: MultiModalCacheQuery[] = [];
  run.fleet.multiModalCache$.subscribe((query) => queries.push(query));
  for (const [id, multiModalHashes] of [
    ['r1', ['x', 'y']],
    ['r2', ['x']],
    ['r3', ['z', 'x']],
    ['r4', ['y']],
  ] as const)
    run.fleet.submit(request(id, { multiModalHashes }));
  run.fleet.submit(request('text'));
  expect(queries).toEqual([
    { engineIndex: 0, queries: 2, hits: 0 },
    { engineIndex: 0, queries: 1, hits: 1 },
    { engineIndex: 0, queries: 2, hits: 1 },
    { engineIndex: 0, queries: 1, hits: 0 },
  ]);
  run.fleet.close();
});

it('estimates FLOPs and bytes of a step', () => {
  const requests = [request('r', { numPromptTokens: 10, numOutputTokens: 3 })];
  const perfModel = { numParameters: 1000, bytesPerParameter: 2, kvBytesPerToken: 10 };
  const run = runFleet({ requests, perfModel });
  expect(run.batches.map((batch) => batch.schedulerStats?.perfStats)).toEqual([
    { numFlopsPerGpu: 20_000, numReadBytesPerGpu: 2000, numWriteBytesPerGpu: 100 },
    { numFlopsPerGpu: 2000, numReadBytesPerGpu: 2100, numWriteBytesPerGpu: 10 },
    { numFlopsPerGpu: 2000, numReadBytesPerGpu: 2110, numWriteBytesPerGpu: 10 },
  ]);
  expect(runFleet({ requests }).batches[0]?.schedulerStats?.perfStats).toBeUndefined();
});

it('counts steps and waves of data-parallel engines, and tells once that all are idle', () => {
  const requests = [0, 1000].flatMap((arrivalTimeMs) =>
    [0, 1].map((engineIndex) => request(`r${arrivalTimeMs}-${engineIndex}`, { engineIndex, arrivalTimeMs })),
  );
  const run = runFleet({ requests, engines: 2, dataParallel: true });
  const steps = run.batches.flatMap(({ engineIndex, schedulerStats: stats }) =>
    stats ? [[engineIndex, stats.stepCounter, stats.currentWave]] : [],
  );
  const wave = (number: number) =>
    [1, 2, 3].flatMap((step) => [
      [0, step, number],
      [1, step, number],
    ]);
  expect(steps).toEqual([...wave(0), ...wave(1)]);
  const completed = run.batches.filter((batch) => batch.waveComplete !== undefined);
  expect(completed.map((batch) => [batch.waveComplete, batch.outputs.length])).toEqual([
    [0, 0],
    [1, 0],
  ]);
});

it('leaves step and wave counters at 0 without data parallelism', () => {
  const run = runFleet({ requests: [request('r')] });
  expect(run.batches.at(-1)?.schedulerStats).toMatchObject({ stepCounter: 0, currentWave: 0 });
});

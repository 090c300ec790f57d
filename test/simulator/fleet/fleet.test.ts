import { asyncScheduler, firstValueFrom, type Observable, toArray, VirtualTimeScheduler } from 'rxjs';
import { expect, expectTypeOf, it } from 'vitest';
import type { EngineCoreOutputs } from '../../../src/engine-core/engine-core-outputs.js';
import { type EngineFleet, simulateEngines } from '../../../src/simulator/index.js';
import { fleetOf, outputsOf, request, runFleet } from '../run-fleet.js';

it('has the shape of an EngineSource', () => {
  interface EngineSource {
    submit(engineIndex: number, request: { requestId: string; promptTokenIds: ArrayLike<number> }): void;
    abort(engineIndex: number, ids: readonly string[]): void;
    outputs(engineIndex: number): Observable<EngineCoreOutputs>;
  }
  expectTypeOf<EngineFleet>().toExtend<EngineSource>();
});

it('schedules nothing while it is idle', () => {
  const run = fleetOf({ engines: 4 });
  run.scheduler.flush();
  expect(run.scheduler.actions).toEqual([]);
  run.fleet.submit(request('r'));
  run.scheduler.flush();
  expect(run.scheduler.actions).toEqual([]);
  expect(run.completed).toBe(false);
});

it('keeps one arrival on the scheduler, and reads requests as they come', () => {
  let numRead = 0;
  function* endless() {
    for (;;) yield request(`r${numRead}`, { arrivalTimeMs: 1000 * numRead++ });
  }
  const run = fleetOf({ requests: endless() });
  run.scheduler.maxFrames = 5500;
  run.scheduler.flush();
  expect(run.submitted.length).toBe(6);
  expect(numRead).toBe(7);
  expect(run.scheduler.actions.length).toBe(1);
  run.fleet.close();
  expect(run.completed).toBe(true);
  expect(run.scheduler.actions).toEqual([]);
});

it('starts its requests with the first subscription, and counts arrivals from there', () => {
  const scheduler = new VirtualTimeScheduler();
  const requests = [request('r', { arrivalTimeMs: 50 })];
  const fleet = simulateEngines({ engines: 1, seed: 1, scheduler, requests });
  const arrivals: number[] = [];
  fleet.submitted$.subscribe(({ arrivalTimeMs }) => arrivals.push(arrivalTimeMs));
  scheduler.schedule(() => fleet.outputs(0).subscribe(), 200);
  scheduler.flush();
  expect(arrivals).toEqual([250]);
});

it('completes at once without any request', () => {
  expect(fleetOf({ requests: [] }).completed).toBe(true);
});

it('completes after end() when the submitted requests are done', () => {
  const run = fleetOf({});
  run.fleet.submit(request('r'));
  run.fleet.end();
  expect(run.completed).toBe(false);
  run.scheduler.flush();
  expect(run.completed).toBe(true);
  expect(() => run.fleet.submit(request('late'))).toThrow('submit: expected a fleet that runs');
});

it('takes requests that are submitted from within a batch', () => {
  const run = fleetOf({ requests: [request('r0')] }, (batch, { fleet }) => {
    const last = batch.outputs.at(-1);
    const number = Number(last?.requestId.slice(1));
    if (last?.finishReason && number < 3) fleet.submit(request(`r${number + 1}`));
  });
  run.scheduler.flush();
  expect(run.submitted.map((value) => value.request.requestId)).toEqual(['r0', 'r1', 'r2', 'r3']);
  expect(run.completed).toBe(true);
});

it('sends to the least loaded engine, in turn when equal, and returns its index', () => {
  const { fleet } = fleetOf({ engines: [3, 5] });
  expect(fleet.submit(request('a'))).toBe(3);
  expect(fleet.submit(request('b'))).toBe(5);
  expect(fleet.submit(request('c'), 3)).toBe(3);
  expect(fleet.submit(request('d'))).toBe(5);
  expect(fleet.submit(5, request('e'))).toBe(5);
  expect(fleet.submit(request('f', { engineIndex: 5 }))).toBe(5);
  expect(fleet.submit(request('g'))).toBe(3);
  fleet.close();
});

it('takes turns between engines that are idle', () => {
  const { fleet, scheduler } = fleetOf({ engines: 3 });
  const chosen = ['a', 'b', 'c', 'd'].map((id) => {
    const engineIndex = fleet.submit(request(id));
    scheduler.flush();
    return engineIndex;
  });
  expect(chosen).toEqual([0, 1, 2, 0]);
});

it('sends each engine its own batches, and all of them together', () => {
  const run = fleetOf({ engines: 2, requests: [request('a'), request('b'), request('c')] });
  const byEngine: EngineCoreOutputs[][] = [[], []];
  for (const index of [0, 1]) run.fleet.outputs(index).subscribe((batch) => byEngine[index]!.push(batch));
  run.scheduler.flush();
  expect(byEngine[0]!.length).toBeGreaterThan(0);
  for (const index of [0, 1])
    expect(byEngine[index]).toEqual(run.batches.filter((batch) => batch.engineIndex === index));
});

it('tells of a request before its first output', () => {
  const told = new Set<string>();
  const run = fleetOf({ requests: [request('a'), request('b')] }, (batch, { submitted }) => {
    for (const value of submitted) told.add(value.request.requestId);
    for (const { requestId } of batch.outputs) expect(told.has(requestId)).toBe(true);
  });
  run.scheduler.flush();
  expect(told.size).toBe(2);
});

it('forgets everything in a crash, and runs on', () => {
  const run = fleetOf({ engines: 2 }, (batch, { fleet }) => {
    if (batch.outputs.some(({ prefillStats, requestId }) => prefillStats && requestId === 'lost'))
      fleet.crash(0);
  });
  run.fleet.submit(request('lost'), 0);
  run.scheduler.flush();
  expect(outputsOf(run, 'lost').length).toBe(1);
  expect(run.fleet.snapshot(0)).toMatchObject({ numRunning: 0, numUsedKvBlocks: 0 });
  run.fleet.submit(request('lost2'), 0);
  run.scheduler.flush();
  expect(outputsOf(run, 'lost2').at(-1)?.finishReason).toBe('stop');
});

it('takes one step at a time when a batch makes somebody crash the engine and submit anew', () => {
  const stepTime = { baseMs: 10, perPrefillTokenMs: 0, perDecodeSeqMs: 0 };
  const run = fleetOf({ stepTime }, (batch, { fleet }) => {
    if (batch.outputs[0]?.requestId !== 'lost') return;
    fleet.crash(0);
    fleet.submit(request('next', { numOutputTokens: 5 }));
  });
  run.fleet.submit(request('lost'));
  run.scheduler.flush();
  const gaps = run.batches.slice(1).map((batch, i) => batch.timestamp - run.batches[i]!.timestamp);
  expect(gaps.map((gap) => Math.round(gap * 1000))).toEqual([10, 10, 10, 10, 10]);
});

it('takes requests as they come off the wire: equal prompts share blocks, maxTokens ends them', () => {
  const run = fleetOf({ engines: 1, blockSize: 4 });
  const promptTokenIds = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  run.fleet.submit(0, { requestId: 'a', promptTokenIds, samplingParams: { maxTokens: 3 } });
  run.scheduler.flush();
  const other = Uint32Array.from([1, 2, 3, 4, 5, 6, 0, 8, 9]);
  run.fleet.submit(0, { requestId: 'b', promptTokenIds: other, loraRequest: ['adapter', 1] });
  run.scheduler.flush();
  expect(outputsOf(run, 'a').map(({ finishReason }) => finishReason)).toEqual([
    undefined,
    undefined,
    'length',
  ]);
  expect(outputsOf(run, 'b').length).toBe(16);
  expect(outputsOf(run, 'b')[0]?.prefillStats?.numCachedTokens).toBe(4);
  expect(run.submitted[1]?.request.loraName).toBe('adapter');
});

it('asks outputTokensOf how much a request off the wire generates', () => {
  const run = fleetOf({ outputTokensOf: ({ promptTokenIds }) => promptTokenIds.length });
  run.fleet.submit(0, { requestId: 'a', promptTokenIds: [1, 2] });
  run.scheduler.flush();
  expect(outputsOf(run).map(({ finishReason }) => finishReason)).toEqual([undefined, 'stop']);
});

it('runs on real timers too', async () => {
  const requests = [request('r', { arrivalTimeMs: 2 })];
  const options = { engines: 1, seed: 1, scheduler: asyncScheduler, requests, stepTime: { baseMs: 1 } };
  const batches = await firstValueFrom(simulateEngines(options).batches$.pipe(toArray()));
  expect(batches.flatMap(({ outputs }) => outputs).map(({ finishReason }) => finishReason)).toEqual([
    undefined,
    undefined,
    'stop',
  ]);
});

it('errors all streams on a bad request of the trace', () => {
  const run = runFleet({ requests: [request('a'), request('b', { numPromptTokens: 0, arrivalTimeMs: 20 })] });
  expect(run.error).toEqual(new RangeError('numPromptTokens: expected a whole number of at least 1, got 0'));
  const back = runFleet({
    requests: [request('a', { arrivalTimeMs: 9 }), request('b', { arrivalTimeMs: 8 })],
  });
  expect(back.error).toEqual(new RangeError('arrivalTimeMs: expected a finite number of at least 9, got 8'));
});

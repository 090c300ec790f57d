import { expect, it } from 'vitest';
import { outputsOf, request, runFleet } from '../run-fleet.js';

it('sends QUEUED and SCHEDULED with the first output, none with the others', () => {
  const run = runFleet({ requests: [request('r')] });
  const types = outputsOf(run).map(({ events }) => events?.map(({ type }) => type));
  expect(types).toEqual([['queued', 'scheduled'], undefined, undefined]);
});

it('keeps events of a preemption until the next output, in order of time', () => {
  const requests = ['old', 'young'].map((id) => request(id, { numPromptTokens: 16, numOutputTokens: 20 }));
  const run = runFleet({ requests, numKvBlocks: 5, blockSize: 8 });
  const lists = outputsOf(run, 'young').flatMap(({ events }) => (events ? [events] : []));
  expect(lists.map((events) => events.map(({ type }) => type))).toEqual([
    ['queued', 'scheduled'],
    ['preempted', 'scheduled'],
  ]);
  const times = lists.flat().map(({ timestamp }) => timestamp);
  expect(times).toEqual([...times].sort((a, b) => a - b));
});

it('keeps the engine clocks apart from the frontend clock and from each other', () => {
  const requests = [0, 1].map((i) => request(`r${i}`, { engineIndex: i, arrivalTimeMs: 500 }));
  const run = runFleet({ requests, engines: 2 });
  const [first, second] = run.batches.slice(0, 2).map(({ timestamp }) => timestamp);
  expect(Math.abs(first! - second!)).toBeGreaterThan(1);
  expect(Math.min(first!, second!)).toBeGreaterThan(1000);
  expect(run.submitted.map(({ arrivalTimeMs }) => arrivalTimeMs)).toEqual([500, 500]);
});

it('stamps SCHEDULED with the start of the step, outputs with its end', () => {
  const run = runFleet({ requests: [request('r')], stepTime: { baseMs: 8, perPrefillTokenMs: 0 } });
  const [queued, scheduled] = outputsOf(run)[0]!.events!;
  expect(scheduled!.timestamp).toBe(queued!.timestamp);
  expect(run.batches[0]!.timestamp - scheduled!.timestamp).toBeCloseTo(0.008, 9);
});

it('writes every field of outputs, batches and stats, always in the same order', () => {
  const requests = [request('r', { numPromptTokens: 30 })];
  const run = runFleet(
    { requests, maxNumBatchedTokens: 20, abortReply: 'final-output' },
    (batch, { fleet }) => {
      if (batch.outputs.length > 0) fleet.abort(0, ['r']);
    },
  );
  const shapes = (values: readonly object[]) => new Set(values.map((value) => Object.keys(value).join()));
  expect(outputsOf(run).length).toBe(2);
  expect(shapes(run.batches).size).toBe(1);
  expect([...shapes(outputsOf(run))][0]?.split(',').length).toBe(18);
  expect(shapes(outputsOf(run)).size).toBe(1);
  expect(shapes(run.batches.map(({ schedulerStats }) => schedulerStats!)).size).toBe(1);
});

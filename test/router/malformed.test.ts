import { expect, it } from 'vitest';
import { type EngineCoreOutputs, OutputRouter } from '../../src/index.js';
import { batch, client, output } from './router-run.js';

const malformed: readonly unknown[] = [
  undefined,
  null,
  7,
  'batch',
  {},
  { outputs: null, finishedRequests: null },
  { outputs: { length: 1, 0: output('a') }, finishedRequests: 'a' },
  { outputs: [null, undefined, 3, 'a', [], {}], finishedRequests: [null, 7, {}] },
  Object.defineProperty({}, 'outputs', { get: () => fail() }),
  { outputs: [Object.defineProperty({}, 'requestId', { get: () => fail() })] },
  { outputs: [Object.defineProperty({ requestId: 'a' }, 'finishReason', { get: () => fail() })] },
  { outputs: [], finishedRequests: Object.defineProperty([], 0, { get: () => fail() }) },
  { outputs: new Proxy([], { get: () => fail() }), finishedRequests: new Proxy([], { get: () => fail() }) },
];

function fail(): never {
  throw new Error('getter');
}

it.each(malformed.map((value, i) => [i, value] as const))('survives a malformed step: %i', (_i, value) => {
  const router = new OutputRouter();
  const a = client(router, 'a');
  router.next(value as EngineCoreOutputs);
  const good = output('a', 1, true);
  router.next(batch([good]));
  expect(a.seen).toEqual([good, 'complete']);
});

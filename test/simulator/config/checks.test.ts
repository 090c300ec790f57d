import { VirtualTimeScheduler } from 'rxjs';
import { expect, it } from 'vitest';
import { simulateEngines } from '../../../src/simulator/index.js';
import { fleetOf, request } from '../run-fleet.js';

it.each([
  [{ engines: 0 }, 'engines: expected a whole number of at least 1, got 0'],
  [{ engines: [] }, 'engines: expected at least one index, each once, got []'],
  [{ engines: [1, 1] }, 'engines: expected at least one index, each once, got [1,1]'],
  [{ engines: [-1] }, 'engines: expected a whole number of at least 0, got -1'],
  [{ seed: 1.5 }, 'seed: expected a whole number'],
  [{ scheduler: undefined }, 'scheduler: expected an RxJS scheduler, got undefined'],
  [{ requests: 7 }, 'requests: expected an iterable, got 7'],
  [{ maxNumSeqs: 0 }, 'maxNumSeqs: expected a whole number of at least 1, got 0'],
  [{ maxNumBatchedTokens: 0 }, 'maxNumBatchedTokens: expected a whole number of at least 1, got 0'],
  [{ numKvBlocks: 2, maxModelLen: 33 }, 'maxModelLen: expected at most what the KV blocks hold (32), got 33'],
  [{ chunkedPrefill: false }, 'maxNumBatchedTokens: expected at least maxModelLen (262144)'],
  [{ errorRate: 2 }, 'errorRate: expected a number from 0 to 1, got 2'],
  [{ abortReply: 'loud' }, 'abortReply: expected one of final-output, finished-requests, silent, got "loud"'],
  [{ stepTime: { baseMs: 0 } }, 'stepTime.baseMs: expected a finite number above 0, got 0'],
  [{ stepTime: { jitter: 1 } }, 'stepTime.jitter: expected a number from 0 up to below 1, got 1'],
  [{ stepTime: { perDecodeSeqMs: -1 } }, 'stepTime.perDecodeSeqMs: expected a finite number of at least 0'],
  [{ specDecoding: { numSpecTokens: 0, acceptanceRate: 1 } }, 'specDecoding.numSpecTokens: expected a whole'],
  [
    { specDecoding: { numSpecTokens: 2, acceptanceRate: [1] } },
    'acceptanceRate: expected 2 positions, got 1',
  ],
  [{ kvConnector: { kind: 'lmcache' } }, 'kvConnector.kind: expected one of nixl, mooncake-store, multi'],
  [{ maxLoras: 0 }, 'maxLoras: expected a whole number of at least 1, got 0'],
  [{ perfModel: { numParameters: Number.NaN } }, 'perfModel.numParameters: expected a finite number above 0'],
  [{ kvResidencySampleRate: -1 }, 'kvResidencySampleRate: expected a number from 0 to 1, got -1'],
  [{ multiModalCacheSize: 0 }, 'multiModalCacheSize: expected a whole number of at least 1, got 0'],
])('refuses %o at construction', (options, message) => {
  const good = { engines: 1, seed: 1, scheduler: new VirtualTimeScheduler() };
  expect(() => simulateEngines({ ...good, ...options } as never)).toThrow(message);
});

it.each([
  [{ engines: '2' }, TypeError, 'engines: expected a number or a list of indexes, got "2"'],
  [{ engines: 1.5 }, RangeError, 'engines: expected a whole number of at least 1, got 1.5'],
  [{ engines: ['0'] }, TypeError, 'engines: expected a whole number of at least 0, got "0"'],
  [{ maxNumSeqs: '8' }, TypeError, 'maxNumSeqs: expected a whole number of at least 1, got "8"'],
  [{ errorRate: true }, TypeError, 'errorRate: expected a number from 0 to 1, got true'],
  [{ errorRate: Number.NaN }, RangeError, 'errorRate: expected a number from 0 to 1, got NaN'],
  [{ stepTime: { baseMs: '6' } }, TypeError, 'stepTime.baseMs: expected a finite number above 0, got "6"'],
  [
    { stepTime: { perDecodeSeqMs: Infinity } },
    RangeError,
    'stepTime.perDecodeSeqMs: expected a finite number of at least 0, got Infinity',
  ],
  [
    { abortReply: 7 },
    TypeError,
    'abortReply: expected one of final-output, finished-requests, silent, got 7',
  ],
  [
    { abortReply: 'loud' },
    RangeError,
    'abortReply: expected one of final-output, finished-requests, silent, got "loud"',
  ],
])(
  'takes a wrong type for a TypeError and a wrong value for a RangeError, as serving does: %o',
  (options, kind, message) => {
    const good = { engines: 1, seed: 1, scheduler: new VirtualTimeScheduler() };
    const simulate = () => simulateEngines({ ...good, ...options } as never);
    expect(simulate).toThrow(kind);
    expect(simulate).toThrow(new kind(message));
  },
);

it.each([
  [{ requestId: '' }, 'requestId: expected a non-empty string'],
  [{ numPromptTokens: 262_144 }, 'numPromptTokens: expected less than maxModelLen (262144), got 262144'],
  [{ numOutputTokens: 0 }, 'numOutputTokens: expected a whole number of at least 1, got 0'],
  [{ maxTokens: 0 }, 'maxTokens: expected a whole number of at least 1, got 0'],
  [
    { finishReason: 'tired' },
    'finishReason: expected one of stop, length, abort, error, repetition, got "tired"',
  ],
  [{ loraName: '' }, 'loraName: expected a non-empty string'],
  [
    { numPromptTokens: 512, blockHashes: [1] },
    'blockHashes: expected one for each block of 16 of 512 tokens (32)',
  ],
  [{ engineIndex: 9 }, 'engineIndex: expected one of 0, got 9'],
  [{ requestId: 'live' }, 'requestId: expected one that is not live, got live'],
])('refuses a request with %o at the call', (partial, message) => {
  const { fleet } = fleetOf({});
  fleet.submit(request('live'));
  expect(() => fleet.submit(request('r', partial as never))).toThrow(message);
  expect(fleet.snapshot(0).numWaiting).toBe(1);
  fleet.close();
});

it.each(['outputs', 'abort', 'crash', 'snapshot'] as const)('refuses an unknown engine in %s', (method) => {
  const { fleet } = fleetOf({ engines: 2 });
  expect(() => fleet[method](2, [])).toThrow('engineIndex: expected one of 0, 1, got 2');
});

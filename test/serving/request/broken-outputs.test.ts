/** Outputs that cannot be read, or recorded: what is said, and that the request ends as it should. */
import { describe, expect, it } from 'vitest';
import type { CounterHandle, GaugeHandle } from '../../../src/metric/public-handles.js';
import { type LiveRequest, Rig } from '../../support/rig.js';

const boom = new Error('a getter');
const throwing = () => {
  throw boom;
};

/** Sends an output whose field throws when it is read. */
function broken(live: LiveRequest, field: string, over: object = {}, timestamp: unknown = 1): void {
  const output = { requestId: 'a', newTokenIds: [1], ...over };
  Object.defineProperty(output, field, { get: throwing });
  live.source.next({ engineIndex: 0, timestamp, output } as never);
}

const PART = 'expected to record an output, recorded a part of it';

/** Ended requests by reason, those that are not 0. */
async function ended(rig: Rig): Promise<object> {
  const all = Object.entries(await rig.family('vllm:request_success_total'));
  const some = all.filter(([, value]) => value !== 0);
  return Object.fromEntries(some.map(([key, value]) => [/finished_reason="(\w+)"/.exec(key)![1], value]));
}

const said = (rig: Rig) => rig.diagnostics.map(({ source, value }) => [source, value]);

describe('an output of which a field throws', () => {
  it.each(['events', 'prefillStats', 'numNansInLogits'])('is reported: %s', async (field) => {
    const rig = new Rig();
    const live = rig.request();
    broken(live, field);
    expect(rig.diagnostics).toMatchObject([{ source: 'recording', message: PART, value: boom }]);
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{}, 1]);
    live.finish();
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{ stop: 1 }, 0]);
  });

  it.each([null, undefined])('does not end the request without a reason: %s', async (finishReason) => {
    const rig = new Rig();
    const live = rig.request();
    broken(live, 'events', { finishReason });
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{}, 1]);
    live.source.complete();
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{ abort: 1 }, 0]);
  });

  it.each([
    ['length', 'length', []],
    ['x', 'error', [['finishReason', 'x']]],
  ])('ends it by its reason: %s', async (finishReason, reason, more) => {
    const rig = new Rig();
    broken(rig.request(), 'events', { finishReason });
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{ [reason]: 1 }, 0]);
    expect(said(rig)).toEqual([['recording', boom], ...more]);
  });

  it('leaves the end to the stream if it is the reason', async () => {
    const rig = new Rig();
    const live = rig.request();
    broken(live, 'finishReason');
    expect([said(rig), rig.metrics.inFlight]).toEqual([[['recording', boom]], 1]);
    live.source.error('x');
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{ error: 1 }, 0]);
  });

  it('ends a request that its consumer left meanwhile', async () => {
    let leave = () => {};
    const rig = new Rig({ onDiagnostic: () => leave() });
    const live = rig.request();
    leave = () => live.abort();
    broken(live, 'numNansInLogits', { newTokenIds: 'x' });
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{ abort: 1 }, 0]);
  });
});

describe.each([
  ['a bigint', 1n],
  ['a symbol', Symbol('s')],
])('a timestamp that is %s', (_, timestamp) => {
  it('is no timestamp, and the rest counts', async () => {
    const rig = new Rig();
    const live = rig.request();
    const send = (output: object) => live.source.next({ engineIndex: 0, timestamp, output } as never);
    send({ newTokenIds: [1, 2] });
    expect(rig.diagnostics).toMatchObject([
      {
        source: 'interTokenLatencySeconds',
        message: 'expected a timestamp in seconds, took 0 s',
        value: timestamp,
      },
    ]);
    send({ newTokenIds: [1], finishReason: 'stop' });
    send({ newTokenIds: [1], finishReason: 'length' });
    expect(await rig.value('vllm:generation_tokens_total')).toBe(3);
    expect([await ended(rig), rig.metrics.inFlight, rig.diagnostics.length]).toEqual([{ stop: 1 }, 0, 2]);
  });

  it('of an output that cannot be read leaves the end to the stream', async () => {
    const rig = new Rig();
    const live = rig.request();
    broken(live, 'events', {}, timestamp);
    expect(rig.diagnostics).toMatchObject([{ source: 'recording', message: PART }]);
    live.source.complete();
    expect([await ended(rig), rig.metrics.inFlight]).toEqual([{ abort: 1 }, 0]);
  });
});

describe('a handle that is broken', () => {
  const breakIt = (handle: CounterHandle | GaugeHandle) =>
    Object.defineProperty(handle, 'cells', { get: throwing });

  it('costs the rest of the terminal record, and that is said', () => {
    const rig = new Rig();
    breakIt(rig.metrics.forEngine(0).requestSuccess.stop);
    rig.request().finish();
    const message = 'expected to write the terminal record, wrote a part of it';
    expect(rig.diagnostics).toMatchObject([{ source: 'recording', message, value: boom }]);
    expect(rig.metrics.inFlight).toBe(0);
  });

  it('costs the gauge of requests in flight, and that is said', () => {
    const rig = new Rig();
    breakIt(rig.metrics.forEngine(0).requestsInFlight);
    rig.request();
    const message = 'expected to count the request as in flight, did not';
    expect(rig.diagnostics).toMatchObject([{ source: 'recording', message, value: boom, engineIndex: 0 }]);
  });
});

import { describe, expect, it } from 'vitest';
import { type LiveRequest, Rig } from '../../../support/rig.js';
import { adapters, event } from './lora-rig.js';

describe('an adapter on the page', () => {
  it("follows a request's life: waits, runs, waits again, runs, is gone", async () => {
    const rig = new Rig();
    const live = rig.request({ loraName: 'a' });
    const seen = [await adapters(rig)];
    for (const step of ['queued', 'scheduled', 'preempted', 'scheduled'] as const) {
      event(live, step);
      seen.push(await adapters(rig));
    }
    live.finish();
    seen.push(await adapters(rig));
    expect(seen).toEqual([['a', ''], ['a', ''], ['', 'a'], ['a', ''], ['', 'a'], undefined]);
  });

  it.each([
    [[], ['a', '']],
    [['preempted'], ['a', '']],
    [
      ['scheduled', 'scheduled'],
      ['', 'a'],
    ],
    [
      ['queued', 'scheduled', 'preempted'],
      ['a', ''],
    ],
    [
      ['preempted', 'scheduled'],
      ['', 'a'],
    ],
    [
      ['scheduled', 'queued'],
      ['', 'a'],
    ],
    [
      ['scheduled', 'preempted', 'preempted'],
      ['a', ''],
    ],
    [
      ['queued', 'queued', 'scheduled', 'queued', 'preempted', 'scheduled'],
      ['', 'a'],
    ],
  ] as const)('takes events in any order: %j', async (types, expected) => {
    const rig = new Rig();
    const live = event(rig.request({ loraName: 'a' }), ...types);
    expect(await adapters(rig)).toEqual(expected);
    live.abort();
    expect(await adapters(rig)).toBeUndefined();
  });

  it.each([
    ['finish', (live: LiveRequest) => live.finish()],
    ['abort', (live: LiveRequest) => live.abort()],
    ['error', (live: LiveRequest) => live.source.error('e')],
    ['completion', (live: LiveRequest) => live.source.complete()],
  ])('is gone with every ending, from waiting and from running: %s', async (_, end) => {
    const rig = new Rig();
    end(rig.request({ loraName: 'a' }));
    end(event(rig.request({ loraName: 'b' }), 'scheduled'));
    expect(await adapters(rig)).toBeUndefined();
  });

  it('knows two requests of one adapter: it may wait and run at once', async () => {
    const rig = new Rig();
    const [first, second] = [rig.request({ loraName: 'a' }), rig.request({ loraName: 'a' })];
    event(first, 'scheduled');
    expect(await adapters(rig)).toEqual(['a', 'a']);
    event(second, 'scheduled');
    expect(await adapters(rig)).toEqual(['', 'a']);
    first.finish();
    expect(await adapters(rig)).toEqual(['', 'a']);
    second.finish();
    expect(await adapters(rig)).toBeUndefined();
  });

  it('does not move after the end: late events change nothing', async () => {
    const rig = new Rig();
    const live = rig.request({ loraName: 'a' }).output(1, { finishReason: 'stop' });
    event(live, 'scheduled');
    expect(await adapters(rig)).toBeUndefined();
  });
});

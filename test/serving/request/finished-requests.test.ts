import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { watched } from '../../support/watched.js';

describe('finishedRequests', () => {
  it('comes once per request, in the order of their ends, over all engines', () => {
    const rig = new Rig();
    const seen = watched(rig);
    const live = ['a', 'b', 'c', 'd'].map((requestId, engineIndex) =>
      rig.request({ requestId, engineIndex }),
    );
    live[2]!.finish();
    live[0]!.abort();
    live[3]!.source.complete();
    live[1]!.source.error('e');
    for (const request of live) request.abort();
    expect(seen.map(({ requestId }) => requestId)).toEqual(['c', 'a', 'd', 'b']);
    expect(seen.map(({ engineIndex }) => engineIndex)).toEqual([2, 0, 3, 1]);
  });

  it('comes when the record is made, before the value goes on', () => {
    const rig = new Rig();
    const order: string[] = [];
    rig.metrics.finishedRequests.subscribe(({ finishReason }) => order.push(finishReason));
    const live = rig.request();
    live.onSeen = (text) => order.push(text);
    live.finish();
    expect(order).toEqual(['stop', 'next 1', 'complete']);
  });

  it("says of a parent's children how many they are", () => {
    const rig = new Rig();
    const seen = watched(rig);
    const parent = rig.metrics.parallelSampling(3);
    rig.request({ parent, n: 7 }).finish();
    expect(seen[0]!.n).toBe(3);
  });

  it('sends every subscriber the same, and none what was before', () => {
    const rig = new Rig();
    rig.request().finish();
    const [first, second] = [watched(rig), watched(rig)];
    rig.request({ requestId: 'x' }).finish();
    expect(first).toHaveLength(1);
    expect(second[0]).toBe(first[0]);
  });

  it('builds nothing while nobody is subscribed', () => {
    const rig = new Rig();
    const finished = rig.metrics.core.finished;
    let built = 0;
    finished.next = () => built++;
    rig.request().finish();
    expect(built).toBe(0);
    const subscription = rig.metrics.finishedRequests.subscribe();
    rig.request().finish();
    subscription.unsubscribe();
    rig.request().finish();
    expect(built).toBe(1);
  });

  it('cannot be fed from outside', () => {
    expect('next' in new Rig().metrics.finishedRequests).toBe(false);
  });

  it('lets a consumer end other requests from inside it', () => {
    const rig = new Rig();
    const other = rig.request({ requestId: 'other' });
    const seen: (string | undefined)[] = [];
    rig.metrics.finishedRequests.subscribe(({ requestId }) => {
      seen.push(requestId);
      other.abort();
    });
    rig.request({ requestId: 'first' }).finish();
    expect([seen, rig.metrics.inFlight]).toEqual([['first', 'other'], 0]);
  });
});

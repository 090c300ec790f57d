import { describe, expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

describe('inFlight', () => {
  it('counts requests from subscription to their end, on all engines', () => {
    const rig = new Rig();
    const live = [rig.request(), rig.request({ engineIndex: 1 }), rig.request({ engineIndex: 1 })];
    const counts = live.map((request, i) => {
      const before = rig.metrics.inFlight;
      if (i === 0) request.finish();
      else if (i === 1) request.abort();
      else request.source.error('e');
      request.abort();
      return before;
    });
    expect([...counts, rig.metrics.inFlight]).toEqual([3, 2, 1, 0]);
  });

  it('is down with the finish reason, before completion', () => {
    const rig = new Rig();
    const live = rig.request().output(1, { finishReason: 'stop' });
    expect(rig.metrics.inFlight).toBe(0);
    live.output(1).abort();
    expect(rig.metrics.inFlight).toBe(0);
  });
});

/** Fields of an output that an engine leaves out or sends as nil say nothing. */
import { expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';
import { watched } from '../../support/watched.js';

const ABSENT = [null, undefined];

it.each(ABSENT)('an output whose optional fields are %s is a token', async (nil) => {
  const rig = new Rig();
  const live = rig.request();
  const output = { finishReason: nil, events: nil, prefillStats: nil, numNansInLogits: nil };
  for (const timestamp of [1, 2, 3]) {
    live.source.next({ engineIndex: 0, timestamp, output: { requestId: 'a', newTokenIds: [1], ...output } });
  }
  expect(rig.diagnostics).toEqual([]);
  expect(rig.metrics.inFlight).toBe(1);
  expect(await rig.value('vllm:generation_tokens_total')).toBe(3);
});

it.each(ABSENT)('an output whose ids are %s is none', (newTokenIds) => {
  const rig = new Rig();
  const records = watched(rig);
  const live = rig.request();
  live.source.next({ engineIndex: 0, timestamp: 1, output: { newTokenIds } } as never);
  live.abort();
  expect(rig.sources()).toEqual(['newTokenIds']); // the one field without a default on the wire
  expect(Object.keys(records[0]!)).not.toContain('timeToFirstToken');
});

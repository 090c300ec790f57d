import { expect, it } from 'vitest';
import { Rig } from '../../support/rig.js';

const REJECTIONS = 'vllm:admission_rejections_total';

it('a reason that is unknown counts as other, and is reported', async () => {
  const rig = new Rig();
  expect(Object.values(await rig.family(REJECTIONS))).toEqual([0, 0]);
  for (const reason of ['max_num_queued_tokens', 'full', 'full', 7]) {
    rig.metrics.recordAdmissionRejection(reason as 'max_num_queued_tokens');
  }
  expect(await rig.family(REJECTIONS)).toEqual({
    '{model_name="m",reason="max_num_queued_reqs"}': 0,
    '{model_name="m",reason="max_num_queued_tokens"}': 1,
    '{model_name="m",reason="other"}': 3,
  });
  const message = 'expected one of max_num_queued_reqs, max_num_queued_tokens, counted it under other';
  expect(rig.diagnostics.map(({ source, value }) => [source, value])).toEqual(
    ['full', 'full', 7].map((value) => ['reason', value]),
  );
  for (const diagnostic of rig.diagnostics) expect(diagnostic.message).toBe(message);
});

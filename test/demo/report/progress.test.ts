import { expect, it } from 'vitest';
import { progressLine } from '../../../src/demo/report/progress.js';
import { finishedReplay } from '../run-replay.js';

it('tells on one short line how far a replay is', async () => {
  const replay = await finishedReplay({ abortRate: 0, errorRate: 0 });
  const line = progressLine(replay);
  expect(line).toMatch(
    /^00:00:0\d 100\.0 % {2}120\/120 ended {2}0 aborted {2}0 live {2}\d+ preempted {2}KV 0\.0 %$/,
  );
  expect(line.length).toBeLessThan(80);
});

import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import type { DemoOptions } from '../../../src/demo/command/options.js';
import { checkIdentities } from '../../../src/demo/report/identities.js';
import { renderMetrics } from '../../../src/index.js';
import { meaningOf } from '../../support/read-page.js';
import { finishedReplay, pageOf, smallTrace } from '../run-replay.js';

const options: fc.Arbitrary<Partial<DemoOptions>> = fc.record({
  seed: fc.integer({ min: 0, max: 2 ** 31 - 1 }),
  engines: fc.integer({ min: 1, max: 4 }),
  kvBlocks: fc.integer({ min: 16, max: 48 }),
  specTokens: fc.integer({ min: 0, max: 4 }),
  lora: fc.integer({ min: 0, max: 4 }),
  abortRate: fc.constantFrom(0, 0.1, 0.5, 1),
  errorRate: fc.constantFrom(0, 0.1, 0.5),
});

it('keeps all identities at the end of every simulator run, and both writers say the same', async () => {
  let numPreemptions = 0;
  await fc.assert(
    fc.asyncProperty(options, async (option) => {
      const replay = await finishedReplay(option, smallTrace());
      const page = await pageOf(replay);
      expect(checkIdentities(page, replay.record.engines).filter(({ holds }) => !holds)).toEqual([]);
      numPreemptions += page.sum('vllm:num_preemptions_total');
      const now = vi.spyOn(Date, 'now').mockReturnValue(Date.now()); // the LoRA series shows when it was read
      const [ours, theirs] = [await renderMetrics(replay.registry), await replay.registry.metrics()];
      now.mockRestore();
      expect(meaningOf(ours)).toEqual(meaningOf(theirs));
    }),
    { numRuns: 60 },
  );
  expect(numPreemptions).toBeGreaterThan(0);
}, 120_000);

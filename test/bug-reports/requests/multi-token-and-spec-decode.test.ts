import { expect, it } from 'vitest';
import { Frontend } from '../support/frontend.js';
import { type Page, seen } from '../support/page.js';

function specDecode(page: Page): readonly (number | undefined)[] {
  const names = ['num_drafts', 'num_draft_tokens', 'num_accepted_tokens'];
  return names.map((name) => page.value(`spec_decode_${name}_total`));
}

async function afterAStopInsideTheRun(): Promise<Frontend> {
  const frontend = new Frontend();
  const perPos = [1, 1, 1, 1, 1];
  frontend.step({
    specDecodingStats: {
      numDrafts: 1,
      numDraftTokens: 5,
      numAcceptedTokens: 5,
      numAcceptedTokensPerPos: perPos,
    },
  });
  frontend.arrive().out({ tok: 3, fin: 'stop' });
  return frontend;
}

/*
 * B22 https://github.com/vllm-project/vllm/issues/56101
 * Drafts are accepted before a stop token trims the sequence, so more tokens are accepted than ever come out.
 */
it('B22: generated tokens are those in outputs, accepted ones those the scheduler tells', async () => {
  const page = await (await afterAStopInsideTheRun()).page();
  expect(page.value('GTOK')).toBe(3);
  expect(page.histograms('GEN_HIST')).toEqual({ GEN_HIST: seen(1, 3) });
  expect(specDecode(page)).toEqual([1, 5, 5]);
  const positions = ['0', '1', '2', '3', '4', '5'].map((position) =>
    page.value('spec_decode_num_accepted_tokens_per_pos_total', { position }),
  );
  expect(positions).toEqual([1, 1, 1, 1, 1, undefined]);
});

// The report wants such a record refused. Ours mirrors the engine, as both of upstream's frontends do: each figure is
// valid by itself, and a frontend that second-guesses one step would no longer add up to what the engine says.
it('B22: more accepted than drafted is the word of the engine, and nothing drafted is no NaN', async () => {
  const frontend = await afterAStopInsideTheRun();
  frontend.step({ specDecodingStats: { numDrafts: 1, numDraftTokens: 2, numAcceptedTokens: 4 } });
  frontend.step({ specDecodingStats: { numDrafts: 0, numDraftTokens: 0, numAcceptedTokens: 0 } });

  const page = await frontend.page();
  expect(specDecode(page)).toEqual([2, 7, 9]);
  expect(frontend.diagnostics).toEqual([]);
  expect([...page.samples.values()].filter((value) => Number.isNaN(value))).toEqual([]);
});

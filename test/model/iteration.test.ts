/** The identity of iteration tokens, for engines all of whose outputs belong to live requests with one valid prefill. */
import fc from 'fast-check';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import {
  type EngineCoreOutput,
  type EngineCoreOutputs,
  OutputRouter,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { type Recording, recording } from '../support/recording.js';
import { brokenIdentities, brokenIteration } from './identities.js';

interface Request {
  readonly engine: number;
  readonly computed: number;
  readonly cached: number;
  /** New tokens of each output; without any the prompt is counted with the end. */
  readonly tokens: readonly number[];
}

const request: fc.Arbitrary<Request> = fc.record({
  engine: fc.nat({ max: 1 }),
  computed: fc.integer({ min: 1, max: 500 }),
  cached: fc.nat({ max: 500 }),
  tokens: fc
    .tuple(fc.nat({ max: 4 }), fc.array(fc.nat({ max: 4 }), { maxLength: 6 }))
    .map(([first, rest]) => [first, ...rest]),
});

function outputOf(id: string, { computed, cached, tokens }: Request, at: number): EngineCoreOutput {
  const prefillStats = {
    numPromptTokens: computed + cached,
    numComputedTokens: computed,
    numCachedTokens: cached,
    numLocalCachedTokens: cached,
    numExternalCachedTokens: 0,
  };
  const isLast = at === tokens.length - 1;
  return engineOutput(tokens[at]!, {
    requestId: id,
    ...(at === 0 && { prefillStats }),
    ...(isLast && { finishReason: 'stop' as const }),
  }).output;
}

/** One step after the other: `picks` says which requests have an output in it. */
function serve(requests: readonly Request[], picks: readonly (readonly number[])[]): Recording {
  const recorded = recording({ engines: [0, 1] });
  const batches = new Subject<EngineCoreOutputs>();
  const router = new OutputRouter();
  batches.pipe(withSchedulerMetrics(recorded.metrics)).subscribe(router);
  const sent = requests.map(() => 0);
  const subscriptions = requests.map(({ engine, computed, cached }, i) =>
    router
      .open(String(i), engine)
      .pipe(withRequestMetrics(recorded.metrics, { numPromptTokens: computed + cached }))
      .subscribe(),
  );
  for (const pick of picks) {
    for (const engine of [0, 1]) {
      const live = [...new Set(pick)].filter(
        (i) => requests[i]?.engine === engine && sent[i]! < requests[i]!.tokens.length,
      );
      const outputs = live.map((i) => outputOf(String(i), requests[i]!, sent[i]!++));
      batches.next({ engineIndex: engine, timestamp: 1, outputs });
    }
  }
  for (const subscription of subscriptions) subscription.unsubscribe();
  return recorded;
}

it('is that each step adds its new and its computed tokens', async () => {
  const steps = fc.array(fc.array(fc.nat({ max: 5 }), { maxLength: 6 }), { maxLength: 20 });
  const run = fc.asyncProperty(
    fc.array(request, { minLength: 1, maxLength: 6 }),
    steps,
    async (requests, picks) => {
      const page = await serve(requests, picks).samples();
      for (const engine of [0, 1])
        expect([...brokenIteration(page, engine), ...brokenIdentities(page, engine)]).toEqual([]);
    },
  );
  await fc.assert(run, { numRuns: 200 });
}, 60_000);

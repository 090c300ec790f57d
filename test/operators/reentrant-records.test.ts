/** Callbacks that act on the stream while its request is being recorded: records stay whole, identities hold. */
import { Subject, type Subscription } from 'rxjs';
import { expect, it } from 'vitest';
import { type EngineCoreStreamOutput, type MetricsDiagnostic, withRequestMetrics } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';
import { brokenIdentities } from '../model/identities.js';
import { type Recording, recording } from '../support/recording.js';

interface Stage extends Recording {
  readonly source: Subject<EngineCoreStreamOutput>;
  readonly seen: EngineCoreStreamOutput[];
  readonly subscription: Subscription;
}

/** `onDiagnostic` is called with the stage, `finished` with each terminal record. */
function stage(react: { diagnostic?: (stage: Stage) => void; finished?: (stage: Stage) => void }): Stage {
  const onDiagnostic = (_: MetricsDiagnostic) => made !== undefined && react.diagnostic?.(made);
  const recorded = recording({ onDiagnostic, engines: [0] });
  const source = new Subject<EngineCoreStreamOutput>();
  const seen: EngineCoreStreamOutput[] = [];
  recorded.metrics.finishedRequests.subscribe(() => react.finished?.(made!));
  const operator = withRequestMetrics(recorded.metrics, { numPromptTokens: 5, engineIndex: 0 });
  const subscription = source
    .pipe(operator)
    .subscribe({ next: (value) => seen.push(value), error: () => {} });
  const made: Stage | undefined = { ...recorded, source, seen, subscription };
  return made;
}

/** An output of two tokens whose recording makes a diagnostic before, and one after, its tokens are counted. */
const odd = {
  ...engineOutput(2, { timestamp: Number.NaN }),
  output: {
    ...engineOutput(2).output,
    numNansInLogits: -1,
    events: [
      { type: 'preempted', timestamp: 1 },
      { type: 'unheard of', timestamp: 1 },
      { type: 'preempted', timestamp: 1 },
    ],
  },
} as unknown as EngineCoreStreamOutput;
const oddFinal = { ...odd, output: { ...odd.output, finishReason: 'length' as const } };
const token = engineOutput(1, { timestamp: 5 });
const final = engineOutput(1, { timestamp: 6, finishReason: 'stop' });

async function expectWhole({ metrics, samples }: Stage, reason: string, tokens: number, outputs: number) {
  const page = await samples();
  expect(page.success()).toEqual({ [reason]: 1 });
  expect(page.value('generation_tokens_total')).toBe(tokens);
  expect(brokenIdentities(page, 0, { outputsWithTokens: outputs })).toEqual([]);
  expect(metrics.inFlight).toBe(0);
}

it('finishes recording an output whose diagnostic unsubscribes the stream', async () => {
  const one = stage({ diagnostic: ({ subscription }) => subscription.unsubscribe() });
  one.source.next(odd);
  expect(one.seen).toEqual([]);
  await expectWhole(one, 'abort', 2, 1);
  expect((await one.samples()).value('num_preemptions_total')).toBe(2);
});

it('takes the finish reason of the output, not the unsubscribe that its diagnostic made', async () => {
  const one = stage({ diagnostic: ({ subscription }) => subscription.unsubscribe() });
  one.source.next(oddFinal);
  await expectWhole(one, 'length', 2, 1);
});

it('takes an unheard-of finish reason as an error, also if its diagnostic unsubscribes', async () => {
  const one = stage({ diagnostic: ({ subscription }) => subscription.unsubscribe() });
  const value = { ...final, output: { ...final.output, finishReason: 'unheard of' as 'stop' } };
  one.source.next(value);
  await expectWhole(one, 'error', 1, 1);
});

it('records an output that a diagnostic sends while another is being recorded', async () => {
  let sent = false;
  const one = stage({
    diagnostic: ({ source }) => {
      if (sent) return;
      sent = true;
      source.next(token);
    },
  });
  one.source.next(odd);
  one.source.next(final);
  await expectWhole(one, 'stop', 4, 3);
});

it('settles once when a diagnostic sends the final output while another is being recorded', async () => {
  const one = stage({ diagnostic: ({ source, seen }) => seen.length === 0 && source.next(final) });
  one.source.next(odd);
  one.source.next(token);
  await expectWhole(one, 'stop', 3, 2);
});

it.each([
  ['the source to complete', ({ source }: Stage) => source.complete(), 'abort'],
  ['the source to fail', ({ source }: Stage) => source.error(new Error('boom')), 'error'],
] as const)('finishes recording an output whose diagnostic makes %s', async (_name, diagnostic, reason) => {
  const one = stage({ diagnostic });
  one.source.next(odd);
  await expectWhole(one, reason, 2, 1);
});

it('changes nothing by outputs that a terminal record’s listener sends', async () => {
  const late = engineOutput(1, { timestamp: 7 });
  const one = stage({ finished: ({ source }) => source.next(late) });
  one.source.next(token);
  one.source.next(final);
  expect(one.seen).toEqual([token, late, final]);
  await expectWhole(one, 'stop', 2, 2);
});

it('records once when a terminal record’s listener unsubscribes', async () => {
  const one = stage({ finished: ({ subscription }) => subscription.unsubscribe() });
  one.source.next(token);
  one.source.next(final);
  expect(one.seen).toEqual([token]);
  await expectWhole(one, 'stop', 2, 2);
});

it('records once when unsubscribeReason itself unsubscribes or sends', async () => {
  const recorded = recording({ engines: [0] });
  const source = new Subject<EngineCoreStreamOutput>();
  const unsubscribeReason = () => {
    source.next(token);
    subscription.unsubscribe();
    return 'stop' as const;
  };
  const operator = withRequestMetrics(recorded.metrics, {
    numPromptTokens: 5,
    engineIndex: 0,
    unsubscribeReason,
  });
  const seen: unknown[] = [];
  const subscription: Subscription = source.pipe(operator).subscribe((value) => seen.push(value));
  source.next(token);
  subscription.unsubscribe();
  expect(seen).toEqual([token]);
  const page = await recorded.samples();
  expect(page.success()).toEqual({ stop: 1 });
  expect(brokenIdentities(page, 0, { outputsWithTokens: 1 })).toEqual([]);
});

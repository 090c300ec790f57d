/** Handles in figures: what each usage and each token moves, and what is said of one that cannot be. */
import { describe, expect, it } from 'vitest';
import type { FinishedRequestStats, RequestHandle, RequestUsage } from '../../../../src/index.js';
import { engineOutput } from '../../../../src/testing/index.js';
import { Gateway } from '../../../openai/gateway.js';
import { Rig } from '../../../support/rig.js';

const PROMPT = { numPromptTokens: 10, engineIndex: 0 };

/** Prompt tokens: all of them, those cached, those computed here, those of the local cache. */
function promptOf({ metrics }: Rig): number[] {
  const { promptTokens, promptTokensCached, promptTokensBySource } = metrics.forEngine(0);
  const { localCompute, localCacheHit } = promptTokensBySource;
  return [promptTokens, promptTokensCached, localCompute, localCacheHit].map(({ value }) => value);
}

const said = (rig: Rig | Gateway) => rig.diagnostics.map(({ source, message }) => `${source}: ${message}`);

describe('the prompt by usage', () => {
  it.each<[string, RequestUsage[], number[]]>([
    ['never told', [], [10, 0, 10, 0]],
    ['with a cached part', [{ promptTokens: 10, cachedTokens: 6 }], [10, 6, 4, 6]],
    ['with a part alone', [{ cachedTokens: 6 }], [10, 6, 4, 6]],
    ['with a part that is more than all of it', [{ promptTokens: 3, cachedTokens: 9 }], [3, 3, 0, 3]],
    ['told twice', [{ promptTokens: 12, cachedTokens: 6 }, { promptTokens: 11 }], [11, 6, 5, 6]],
    ['with nothing in it', [{ completionTokens: 0 }, { timings: {} }], [10, 0, 10, 0]],
  ])('before the first token is what counts: %s', (_, usages, expected) => {
    const rig = new Rig();
    const handle = rig.metrics.startRequest(PROMPT);
    for (const usage of usages) handle.usage(usage);
    expect(promptOf(rig)).toEqual([0, 0, 0, 0]);
    handle.tokens(1);
    expect(promptOf(rig)).toEqual(expected);
    handle.end('stop');
    expect(promptOf(rig)).toEqual(expected);
  });

  it.each<[string, RequestUsage[], number[]]>([
    ['more, and a part of it cached', [{ promptTokens: 15, cachedTokens: 10 }], [15, 10, 6, 9]],
    ['more, with less cached than is new', [{ promptTokens: 15, cachedTokens: 7 }], [15, 7, 8, 7]],
    ['more, nothing said of the cache', [{ promptTokens: 12 }], [12, 4, 8, 4]],
    ['no more, with more cached', [{ cachedTokens: 6 }], [10, 6, 6, 4]],
    ['less', [{ promptTokens: 5, cachedTokens: 1 }], [10, 4, 6, 4]],
    ['less cached, then more again', [{ cachedTokens: 1 }, { cachedTokens: 5 }], [10, 5, 6, 4]],
    ['the same', [{ promptTokens: 10, cachedTokens: 4 }], [10, 4, 6, 4]],
  ])('after the first token only grows: %s', (_, usages, expected) => {
    const rig = new Rig();
    const handle = rig.metrics.startRequest(PROMPT);
    handle.usage({ cachedTokens: 4 });
    handle.tokens(1);
    expect(promptOf(rig)).toEqual([10, 4, 6, 4]);
    for (const usage of usages) handle.usage(usage);
    expect(promptOf(rig)).toEqual(expected);
  });
});

describe('completion tokens by usage', () => {
  it.each([
    [2, 5, 5, 'usage'],
    [5, 5, 5, 'usage'],
    [5, 2, 5, 'chunks'],
  ])('%i seen and %i told are %i, counted by %s', async (seen, told, total, source) => {
    const gateway = new Gateway();
    const handle = gateway.start();
    handle.tokens(seen);
    handle.usage({ completionTokens: told });
    handle.end('stop');
    expect(await gateway.page()).toMatchObject({
      generation_tokens_total: total,
      request_generation_tokens_sum: total,
      [`rx_engine_metrics_token_counts_total{source="${source}"}`]: 1,
    });
  });

  it('of a request without any were counted by nobody', async () => {
    const gateway = new Gateway();
    const handle = gateway.start();
    handle.tokens(0);
    handle.usage({ promptTokens: 3 });
    handle.end('stop');
    expect(Object.keys(await gateway.page()).filter((name) => name.includes('token_counts'))).toEqual([]);
  });

  it('of an engine’s outputs were counted by their ids', async () => {
    const gateway = new Gateway();
    const handle = gateway.start();
    handle.tokens(1);
    handle.next(engineOutput(1, { timestamp: 5, finishReason: 'stop' }));
    expect(await gateway.page()).toMatchObject({
      'rx_engine_metrics_token_counts_total{source="token_ids"}': 1,
    });
  });
});

describe('tokens', () => {
  const sampled = ({ metrics }: Rig) => {
    const { interTokenLatencySeconds: between, generationTokens } = metrics.forEngine(0);
    return [generationTokens.value, between.count, between.sum];
  };

  it.each<[string, [count: number, at?: number][], number[], string[]]>([
    ['later', [[2, 1.5]], [3, 1, 0.5], []],
    ['at once', [[2, 1]], [3, 1, 0], []],
    ['none', [[0, 9]], [1, 0, 0], []],
    ['at no time', [[2, Number.NaN]], [3, 1, 0], ['interTokenLatencySeconds']],
    ['before the last ones', [[2, 0.5]], [3, 1, 0], ['interTokenLatencySeconds']],
    ['too late for any figure', [[2, 1e201]], [3, 1, 0], ['interTokenLatencySeconds']],
    ['as late as a figure can be', [[2, 1e200]], [3, 1, 1e200], []],
    [
      'after a gap in time',
      [
        [1, Number.NaN],
        [1, 3],
      ],
      [3, 2, 2],
      ['interTokenLatencySeconds'],
    ],
    ['fewer than none', [[-1, 2]], [1, 0, 0], ['tokens']],
    ['a part of one', [[0.5, 2]], [1, 0, 0], ['tokens']],
  ])('that come %s', (_, told, expected, sources) => {
    const rig = new Rig();
    const handle = rig.metrics.startRequest(PROMPT);
    handle.tokens(1, 1);
    for (const [count, at] of told) handle.tokens(count, at);
    expect([sampled(rig), rig.sources()]).toEqual([expected, sources]);
  });
});

describe('the span of tokens that only usage told of', () => {
  const figures = ({ metrics }: Rig) => {
    const engine = metrics.forEngine(0);
    const { timeToFirstTokenSeconds: first, requestDecodeTimeSeconds: decode } = engine;
    return [first.count, first.sum, decode.sum, engine.promptTokens.value];
  };

  it('has a first and a last one, and the prompt', () => {
    const rig = new Rig();
    const handle = rig.metrics.startRequest(PROMPT);
    handle.usage({ completionTokens: 5 });
    handle.span(1.25, 3.25); // the request came at 1
    expect(figures(rig)).toEqual([1, 0.25, 0, 10]);
    handle.end('stop');
    expect(figures(rig)).toEqual([1, 0.25, 2, 10]);
    expect(promptOf(rig)).toEqual([10, 0, 10, 0]);
  });

  it('keeps the parts of a prompt that usage named', () => {
    const rig = new Rig();
    const handle = rig.metrics.startRequest(PROMPT);
    handle.usage({ cachedTokens: 4, completionTokens: 5 });
    handle.span(1.25, 3.25);
    expect(promptOf(rig)).toEqual([10, 4, 6, 4]);
  });

  it('that begins before the request is reported, and 0', () => {
    const rig = new Rig();
    rig.metrics.startRequest(PROMPT).span(0.5, 3);
    expect([figures(rig), rig.sources()]).toEqual([[1, 0, 0, 10], ['timeToFirstTokenSeconds']]);
  });

  it.each<[string, (handle: RequestHandle, rig: Rig) => void, number[]]>([
    ['once a token was seen', (handle) => handle.tokens(1), [1, 0]],
    ['once it has one', (handle) => handle.span(1.5, 2), [1, 0.5]],
    ['after the end', (handle) => handle.end('stop'), [0, 0]],
    ['of a disposed instance', (_, rig) => rig.metrics.dispose(), [0, 0]],
  ])('is none %s', (_, before, expected) => {
    const rig = new Rig();
    const handle = rig.metrics.startRequest(PROMPT);
    const { timeToFirstTokenSeconds: first } = rig.metrics.forEngine(0);
    before(handle, rig);
    handle.span(7, 9);
    expect([first.count, first.sum]).toEqual(expected);
  });
});

describe('a diagnostic of a handle', () => {
  const unreadable = {
    get promptTokens(): number {
      throw new Error('a getter');
    },
  };

  it.each<[string, (handle: RequestHandle) => void]>([
    ['tokens: expected a whole number of at least 0, counted none', (handle) => handle.tokens(-1)],
    [
      'usage.promptTokens: expected a whole number of at least 0, ignored it',
      (handle) => handle.usage({ promptTokens: -1 }),
    ],
    [
      'usage.cachedTokens: expected a whole number of at least 0, ignored it',
      (handle) => handle.usage({ cachedTokens: 0.5 }),
    ],
    [
      'usage.completionTokens: expected a whole number of at least 0, ignored it',
      (handle) => handle.usage({ completionTokens: Number.NaN }),
    ],
    ['recording: expected to record a usage, recorded a part of it', (handle) => handle.usage(unreadable)],
    [
      'recording: expected to record an output, recorded a part of it',
      (handle) => handle.next(null as never),
    ],
    ['finishReason: expected a finish reason, took error', (handle) => handle.end('done' as never)],
    ['choice: expected a whole number below 65536, took 0', (handle) => handle.choice(65_536)],
    ['choice: expected a whole number below 65536, took 0', (handle) => handle.choice(0.5)],
    ['choice: expected a whole number below 65536, took 0', (handle) => handle.choice(-1)],
    [
      'interTokenLatencySeconds: expected a timestamp in seconds, took 0 s',
      (handle) => handle.report('interTokenLatencySeconds', 'expected a timestamp in seconds, took 0 s', 1),
    ],
  ])('says "%s"', (message, provoke) => {
    const gateway = new Gateway();
    provoke(gateway.start());
    expect(said(gateway)).toEqual([message]);
  });

  it('is also of a series that cannot be written, and the request goes on', () => {
    const gateway = new Gateway();
    const handle = gateway.start();
    gateway.metrics.forEngine(0).timeToFirstTokenSeconds.observe = () => {
      throw new Error('broken');
    };
    handle.tokens(1);
    handle.tokens(2);
    expect(said(gateway)).toEqual(['recording: expected to record tokens, recorded a part of it']);
    expect(gateway.metrics.forEngine(0).generationTokens.value).toBe(3);
  });

  it('is none of absent figures', () => {
    const gateway = new Gateway();
    gateway.start().usage({ promptTokens: undefined, cachedTokens: null as never, timings: undefined });
    expect(said(gateway)).toEqual([]);
  });
});

describe('a choice', () => {
  it.each<[string, (choice: RequestHandle) => void, string]>([
    ['fails', (choice) => choice.fail(), 'error'],
    ['is disposed', (choice) => choice[Symbol.dispose](), 'abort'],
  ])('that %s ends alone', async (_, end, reason) => {
    const gateway = new Gateway();
    const handle = gateway.start({ n: 2 });
    end(handle.choice(1));
    expect([handle.n, handle.ended, handle.choice(1).ended]).toEqual([2, false, true]);
    expect(await gateway.page()).toMatchObject({ [`request_success_total{finished_reason="${reason}"}`]: 1 });
  });

  it('that is the last possible one is taken', () => {
    const gateway = new Gateway();
    const handle = gateway.start({ n: 65_536 });
    expect(handle.choice(65_535)).not.toBe(handle);
    expect(said(gateway)).toEqual([]);
  });

  it('is observed with its parent once, however often the handle is disposed', async () => {
    const gateway = new Gateway();
    const handle = gateway.start({ n: 3 });
    const late = handle.choice(1);
    handle.tokens(1);
    handle[Symbol.dispose]();
    late.end('stop');
    handle.choice(2).end('stop');
    handle[Symbol.dispose]();
    expect(await gateway.page()).toMatchObject({ request_params_n_sum: 3, request_params_n_count: 1 });
  });
});

it('what finishedRequests tells of a handle has its engine’s times only if there are such', () => {
  const gateway = new Gateway();
  const seen: FinishedRequestStats[] = [];
  gateway.metrics.finishedRequests.subscribe((stats) => seen.push(stats));
  gateway.start().end('stop');
  const timed = gateway.start();
  timed.usage({ promptTokens: 9, cachedTokens: 3, timings: { queuedTime: 1 } });
  timed.usage({ completionTokens: 2 });
  timed.end('stop');
  expect(seen.map((stats) => 'engineTimings' in stats)).toEqual([false, true]);
  expect(seen[1]).toMatchObject({ numPromptTokens: 9, numCachedTokens: 3, engineTimings: { queuedTime: 1 } });
});

import { describe, expect, it } from 'vitest';
import type { SleepState } from '../../src/index.js';
import { Rig } from '../support/rig.js';

const SLEEP = 'vllm:engine_sleep_state';

async function sleepStates(rig: Rig, engine = 0): Promise<(number | undefined)[]> {
  const states = ['awake', 'weights_offloaded', 'discard_all'];
  return Promise.all(states.map((state) => rig.value(SLEEP, engine, `sleep_state="${state}"`)));
}

describe('setSleepState', () => {
  it('has every engine awake from construction', async () => {
    expect(await sleepStates(new Rig({ engines: [0] }))).toEqual([1, 0, 0]);
  });

  it.each([
    ['awake', [1, 0, 0]],
    ['weights_offloaded', [0, 1, 0]],
    ['discard_all', [0, 0, 1]],
  ] as const)('sets exactly one state: %s', async (state, expected) => {
    const rig = new Rig({ engines: [0, 1] });
    rig.metrics.setSleepState(0, 'discard_all');
    rig.metrics.setSleepState(0, state);
    expect([await sleepStates(rig), await sleepStates(rig, 1)]).toEqual([expected, [1, 0, 0]]);
  });

  it('touches no counter, and makes an engine it does not know', async () => {
    const rig = new Rig();
    rig.metrics.forEngine(0).generationTokens.inc(5);
    rig.metrics.setSleepState(0, 'discard_all');
    rig.metrics.setSleepState(4, 'weights_offloaded');
    expect(await rig.value('vllm:generation_tokens_total')).toBe(5);
    expect(await sleepStates(rig, 4)).toEqual([0, 1, 0]);
  });

  it('is not changed by a second instance of the model', async () => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.setSleepState(0, 'discard_all');
    const second = rig.sibling({ engines: [0] });
    second.metrics.forEngine(0);
    expect(await sleepStates(rig)).toEqual([0, 0, 1]);
    second.metrics.setSleepState(0, 'awake');
    expect(await sleepStates(rig)).toEqual([1, 0, 0]);
  });

  it.each(['asleep', '', 0, null, undefined, 'toString'])('ignores %s with a diagnostic', async (state) => {
    const rig = new Rig({ engines: [0] });
    rig.metrics.setSleepState(0, state as SleepState);
    expect(await sleepStates(rig)).toEqual([1, 0, 0]);
    expect(rig.diagnostics).toMatchObject([{ source: 'sleepState', value: state, engineIndex: 0 }]);
  });
});

describe('recordMultiModalCache', () => {
  const counts = (rig: Rig) =>
    Promise.all(['queries', 'hits'].map((name) => rig.value(`vllm:mm_cache_${name}_total`)));

  it('adds to queries and hits', async () => {
    const rig = new Rig();
    rig.metrics.recordMultiModalCache(0, { queries: 5, hits: 2 });
    rig.metrics.recordMultiModalCache(0, { queries: 1, hits: 0 });
    expect(await counts(rig)).toEqual([6, 2]);
  });

  it.each([
    [{ queries: -1, hits: 2 }, [0, 2], ['mmCacheStats.queries']],
    [{ queries: 3, hits: Number.NaN }, [3, 0], ['mmCacheStats.hits']],
    [{ queries: Infinity, hits: '2' }, [0, 0], ['mmCacheStats.queries', 'mmCacheStats.hits']],
    [{ queries: 3 }, [3, 0], []],
    [{ hits: null }, [0, 0], []],
    [{}, [0, 0], []],
    [null, [0, 0], ['mmCacheStats']],
    [undefined, [0, 0], ['mmCacheStats']],
  ])('takes %j', async (stats, expected, sources) => {
    const rig = new Rig();
    expect(() => rig.metrics.recordMultiModalCache(0, stats as never)).not.toThrow();
    expect([await counts(rig), rig.sources()]).toEqual([expected, sources]);
  });
});

describe('the setters', () => {
  it.each([-1, 0.5, Number.NaN, '0', null, undefined, 2 ** 53])(
    'ignore an engine index that none can have: %s',
    async (index) => {
      const rig = new Rig();
      const engine = index as number;
      rig.metrics.setCacheConfig(engine, { a: 1 });
      rig.metrics.setSleepState(engine, 'awake');
      rig.metrics.recordMultiModalCache(engine, { queries: 1, hits: 1 });
      expect(rig.sources()).toEqual(['engineIndex', 'engineIndex', 'engineIndex']);
      const keys = [...(await rig.samples()).keys()];
      expect(keys.filter((key) => !key.startsWith('vllm:admission_rejections_total{'))).toEqual([
        'rx_engine_metrics_invalid_values_total{model_name="m",source="engineIndex"}',
      ]);
    },
  );
});

it('look-ups of the multimodal cache that are no struct are reported', () => {
  const rig = new Rig();
  for (const stats of [null, 5, undefined]) rig.metrics.recordMultiModalCache(0, stats as never);
  const message = 'expected an object that can be read, ignored the rest of it';
  expect(rig.diagnostics.map((diagnostic) => diagnostic.message)).toEqual([message, message, message]);
});

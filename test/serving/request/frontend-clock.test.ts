/** The frontend's clock: one that stops, steps, jumps, throws, or is none. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type LiveRequest, Rig } from '../../support/rig.js';

const HOUR = 3_600_000;
const TTFT = 'vllm:time_to_first_token_seconds';
const E2E = 'vllm:e2e_request_latency_seconds';

/** Count and sum of both frontend durations. */
async function durations(rig: Rig): Promise<(number | undefined)[]> {
  const names = [`${TTFT}_count`, `${TTFT}_sum`, `${E2E}_count`, `${E2E}_sum`];
  return Promise.all(names.map((name) => rig.value(name)));
}

function run(rig: Rig, firstTokenAt: number, endAt: number): LiveRequest {
  const live = rig.request();
  rig.nowMs = firstTokenAt;
  live.output(1, { timestamp: 1 });
  rig.nowMs = endAt;
  live.finish({ timestamp: 2 });
  return live;
}

const MIRRORED = ['next 1', 'next 1', 'complete'];

describe("the host's clock", () => {
  it('that stops gives intervals of 0, which are valid', async () => {
    const rig = new Rig();
    expect(run(rig, 1000, 1000).seen).toEqual(MIRRORED);
    expect([await durations(rig), rig.sources()]).toEqual([[1, 0, 1, 0], []]);
  });

  it('that steps back an hour gives 0 and a diagnostic, never a negative sample', async () => {
    const rig = new Rig();
    expect(run(rig, 1000 - HOUR, 1000 - HOUR).seen).toEqual(MIRRORED);
    expect(await durations(rig)).toEqual([1, 0, 1, 0]);
    expect(rig.diagnostics).toMatchObject([
      { source: 'timeToFirstTokenSeconds', value: -3600 },
      { source: 'e2eRequestLatencySeconds', value: -3600 },
    ]);
  });

  it('that steps back after the first token leaves that one alone', async () => {
    const rig = new Rig();
    run(rig, 1500, 1500 - HOUR);
    expect([await durations(rig), rig.sources()]).toEqual([[1, 0.5, 1, 0], ['e2eRequestLatencySeconds']]);
  });

  it('that jumps a day counts the day: it is the only clock', async () => {
    const rig = new Rig();
    run(rig, 2000, 1000 + 24 * HOUR);
    expect([await durations(rig), rig.sources()]).toEqual([[1, 1, 1, 86_400], []]);
  });

  it.each([
    ['NaN', () => Number.NaN],
    ['infinity', () => Infinity],
    ['a string', () => '1000'],
    ['nothing', () => undefined],
    ['a bigint', () => 5n],
    [
      'a throw',
      () => {
        throw new Error('clock');
      },
    ],
  ])('that gives %s records 0 with diagnostics, and the stream goes on', async (_, now) => {
    const rig = new Rig({ clock: { now: now as () => number } });
    expect(run(rig, 1, 2).seen).toEqual(MIRRORED);
    expect(await durations(rig)).toEqual([1, 0, 1, 0]);
    expect(rig.sources()).toEqual(['timeToFirstTokenSeconds', 'e2eRequestLatencySeconds']);
    expect(await rig.value('vllm:inter_token_latency_seconds_sum')).toBe(1);
  });

  it('that breaks only once spoils only what it was read for', async () => {
    let reads = 0;
    const rig = new Rig({ clock: { now: () => (++reads === 2 ? Number.NaN : reads * 1000) } });
    run(rig, 0, 0);
    expect([await durations(rig), rig.sources()]).toEqual([[1, 0, 1, 2], ['timeToFirstTokenSeconds']]);
  });

  it('is read at subscription, at the first token and at the end, not for a token', () => {
    let reads = 0;
    const rig = new Rig({ clock: { now: () => ++reads } });
    const live = rig.request();
    expect(reads).toBe(1);
    for (let i = 1; i <= 100; i++) live.output(1, { timestamp: i });
    expect(reads).toBe(2);
    live.finish({ timestamp: 101 });
    expect(reads).toBe(3);
  });

  it('is what arrivalTimeMs is in, too', async () => {
    const rig = new Rig();
    rig.request({ arrivalTimeMs: 400 }).abort();
    rig.request({ arrivalTimeMs: 0 }).abort();
    expect((await durations(rig)).slice(2)).toEqual([2, 1.6]);
  });

  it('makes an arrival in the future now, with a diagnostic', async () => {
    const rig = new Rig();
    rig.request({ arrivalTimeMs: 5000 }).abort();
    expect([(await durations(rig)).slice(2), rig.sources()]).toEqual([[1, 0], ['arrivalTimeMs']]);
  });
});

describe('the default clock', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  /** An instance on the default clock, with time in the test's hand. */
  function faked(): Rig {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: 1_760_000_000_000 });
    return new Rig({ modelName: 'd', clock: undefined as never });
  }

  const sums = async (rig: Rig) => {
    const samples = await rig.samples();
    return [TTFT, E2E].map((name) => samples.get(`${name}_sum{engine="0",model_name="d"}`));
  };

  it.each([
    ['back an hour', -HOUR],
    ['forward a day', 24 * HOUR],
  ])('does not see the wall clock step %s', async (_, step) => {
    const rig = faked();
    const live = rig.request({ arrivalTimeMs: Date.now() - 250 });
    vi.advanceTimersByTime(250);
    vi.setSystemTime(Date.now() + step);
    live.output(1, { timestamp: 1 });
    vi.advanceTimersByTime(500);
    live.finish({ timestamp: 2 });
    expect([await sums(rig), rig.sources()]).toEqual([[0.5, 1], []]);
  });

  it('takes an arrival after a step back as now, with a diagnostic', async () => {
    const rig = faked();
    const arrivalTimeMs = Date.now();
    vi.setSystemTime(arrivalTimeMs - HOUR);
    const live = rig.request({ arrivalTimeMs });
    vi.advanceTimersByTime(500);
    live.finish({ timestamp: 1 });
    expect([await sums(rig), rig.sources()]).toEqual([[0.5, 0.5], ['arrivalTimeMs']]);
  });
});

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Rig } from '../support/rig.js';
import { provokeAll } from './provocations.js';

const INVALID = 'rx_engine_metrics_invalid_values_total';
const SERVING = join(import.meta.dirname, '../../src/serving');

/** The literals of the exported union, from its source: it is a label, so it must be a closed set. */
const UNION = new Set(
  [...readFileSync(join(SERVING, 'diagnostics.ts'), 'utf8').matchAll(/^ {2}\| '([^']+)'/gm)].map(
    ([, name]) => name!,
  ),
);

describe('diagnostics', () => {
  it('name sources of the exported union alone', () => {
    const rig = new Rig();
    provokeAll(rig);
    expect(UNION.size).toBeGreaterThan(60);
    expect(new Set(rig.sources()).size).toBeGreaterThan(25);
    expect(rig.sources().filter((source) => !UNION.has(source))).toEqual([]);
  });

  it('are counted by source, one for each', async () => {
    const rig = new Rig();
    provokeAll(rig);
    const counts: Record<string, number> = {};
    for (const source of rig.sources()) {
      const key = `{model_name="m",source="${source}"}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    expect(await rig.family(INVALID)).toEqual(counts);
  });

  it('say what was expected, the value, and whose it was', () => {
    const rig = new Rig();
    rig.request({ requestId: 'r', engineIndex: 3, maxTokens: -1 });
    rig.stats({ numRunningReqs: -1 }, 4);
    expect(rig.diagnostics).toEqual([
      {
        source: 'maxTokens',
        message: expect.stringMatching(/^expected .*, took/),
        value: -1,
        engineIndex: 3,
        requestId: 'r',
      },
      {
        source: 'numRunningReqs',
        message: expect.stringMatching(/^expected .*, kept/),
        value: -1,
        engineIndex: 4,
      },
    ]);
  });

  it('have no series before their first use', async () => {
    const rig = new Rig({ engines: [0] });
    expect(await rig.family(INVALID)).toEqual({});
    rig.stats({ kvCacheUsage: 7 });
    expect(await rig.family(INVALID)).toEqual({ '{model_name="m",source="kvCacheUsage"}': 1 });
  });

  it('are counted without onDiagnostic, and by model', async () => {
    const rig = new Rig();
    const silent = rig.sibling({ modelName: 'other', onDiagnostic: () => {} });
    silent.stats({ kvCacheUsage: 7 });
    expect(rig.diagnostics).toEqual([]);
    expect(await rig.family(INVALID)).toEqual({ '{model_name="other",source="kvCacheUsage"}': 1 });
  });

  it('ignore what onDiagnostic throws: the stream goes on, the rest is recorded', async () => {
    const rig = new Rig({
      onDiagnostic: () => {
        throw new Error('host');
      },
    });
    provokeAll(rig);
    const live = rig.request({ maxTokens: -1 });
    live.finish();
    expect(live.seen).toEqual(['next 1', 'complete']);
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="stop"')).toBe(1);
  });

  it('let onDiagnostic use the metrics, even dispose of them', async () => {
    const rig: Rig = new Rig({ onDiagnostic: () => rig.metrics.dispose() });
    const live = rig.request();
    live.output(1, { events: [{ type: 'x' as never, timestamp: 1 }], timestamp: 1 }).finish({ timestamp: 2 });
    expect(live.seen).toEqual(['next 1', 'next 1', 'complete']);
    expect((await rig.samples()).size).toBe(0);
  });

  it('end with dispose', () => {
    const rig = new Rig();
    const live = rig.request();
    rig.metrics.dispose();
    live.output(1, { timestamp: Number.NaN });
    provokeAll(rig);
    expect(rig.diagnostics).toEqual([]);
  });
});

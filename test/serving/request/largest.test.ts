import { Registry } from 'prom-client';
import { of } from 'rxjs';
import { expect, it } from 'vitest';
import { ServingMetrics, withRequestMetrics } from '../../../src/index.js';
import { isRecordable, LARGEST } from '../../../src/metric/handle.js';
import { engineOutput } from '../../../src/testing/index.js';

it('has one limit, also where it is written as a figure for speed', () => {
  expect([isRecordable(LARGEST), isRecordable(LARGEST * 1.001)]).toEqual([true, false]);
  for (const [timestamp, sum, diagnostics] of [
    [LARGEST, LARGEST, 0],
    [LARGEST * 1.001, 0, 1],
  ] as const) {
    const seen: unknown[] = [];
    const metrics = new ServingMetrics({
      registry: new Registry(),
      modelName: 'm',
      onDiagnostic: ({ source }) => seen.push(source),
    });
    of(engineOutput(1, { timestamp: 0 }), engineOutput(1, { timestamp }))
      .pipe(withRequestMetrics(metrics, { numPromptTokens: 1, engineIndex: 0 }))
      .subscribe();
    expect(metrics.forEngine(0).interTokenLatencySeconds.sum).toBe(sum);
    expect(seen.filter((source) => source === 'interTokenLatencySeconds')).toHaveLength(diagnostics);
  }
});

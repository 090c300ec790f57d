import { Registry } from 'prom-client';
import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { type EngineCoreStreamOutput, ServingMetrics, withRequestMetrics } from '../../src/index.js';
import { engineOutput } from '../../src/testing/index.js';

it('lets the live requests of a disposed instance move no series that another instance shares', () => {
  const registry = new Registry();
  const options = { registry, modelName: 'm', engines: [0] };
  const old = new ServingMetrics(options);
  const next = new ServingMetrics(options);
  const source = new Subject<EngineCoreStreamOutput>();
  const seen: EngineCoreStreamOutput[] = [];
  source
    .pipe(withRequestMetrics(old, { numPromptTokens: 1, engineIndex: 0 }))
    .subscribe((value) => seen.push(value));
  for (const timestamp of [1, 2]) source.next(engineOutput(1, { timestamp }));
  old.dispose();
  for (const timestamp of [3, 4]) source.next(engineOutput(1, { timestamp }));
  source.next(engineOutput(1, { timestamp: 5, finishReason: 'stop' }));
  const { generationTokens, interTokenLatencySeconds, requestSuccess } = next.forEngine(0);
  expect([generationTokens.value, interTokenLatencySeconds.count, requestSuccess.stop.value]).toEqual([
    2, 1, 0,
  ]);
  expect(seen).toHaveLength(5);
});

import { describe, expect, it } from 'vitest';
import { Counter } from '../../../src/metric/counter.js';
import { Gauge } from '../../../src/metric/gauge.js';
import { Histogram } from '../../../src/metric/histogram.js';
import { CATALOG } from '../../../src/serving/catalog/catalog.js';
import { Rig } from '../../support/rig.js';
import { camelCase, FIELDS, KEYS, LABEL_VALUES } from '../catalog/catalogue-fields.js';

const CLASSES = { counter: Counter, gauge: Gauge, histogram: Histogram };

/** §2: the family without prefix and `_total`, in camelCase, unit kept. */
function fieldOf(family: string): string {
  return camelCase(family.replace(/_total$/, ''));
}

describe('the fields of EngineMetrics', () => {
  it.each(KEYS)('are named by the rule: %s', (key) => {
    expect(key).toBe(fieldOf(CATALOG[key].name));
  });

  it('are one per catalogue row without connectors, and the in-flight gauge', () => {
    const fields = Object.keys(new Rig().metrics.forEngine(0));
    expect(fields.sort()).toEqual([...FIELDS, 'requestsInFlight'].sort());
  });

  it.each(FIELDS.filter((key) => CATALOG[key].labels === undefined))('are handles by type: %s', (key) => {
    expect(new Rig().metrics.forEngine(0)[key as 'generationTokens']).toBeInstanceOf(
      CLASSES[CATALOG[key].type],
    );
  });

  it.each(Object.entries(LABEL_VALUES))('are structs by label value: %s', (key, values) => {
    const struct = new Rig().metrics.forEngine(0)[key as 'requestSuccess'];
    expect(Object.keys(struct)).toEqual(values.map(camelCase));
    expect(CATALOG[key as 'requestSuccess'].labels).toHaveLength(1);
  });

  it('have one struct or array for each family with one more label', () => {
    const labelled = FIELDS.filter((key) => CATALOG[key].labels !== undefined);
    expect(labelled.sort()).toEqual(
      [...Object.keys(LABEL_VALUES), 'specDecodeNumAcceptedTokensPerPos'].sort(),
    );
    expect(new Rig().metrics.forEngine(0).specDecodeNumAcceptedTokensPerPos).toEqual([]);
  });

  it('record into the series of their family, engine and label value', async () => {
    const rig = new Rig();
    const metrics = rig.metrics.forEngine(3);
    metrics.requestSuccess.stop.inc();
    metrics.promptTokensBySource.localCompute.inc(7);
    metrics.numRequestsWaitingByReason.deferred.set(2);
    metrics.timeToFirstTokenSeconds.observe(0.02);
    expect(await rig.value('vllm:request_success_total', 3, 'finished_reason="stop"')).toBe(1);
    expect(await rig.value('vllm:prompt_tokens_by_source_total', 3, 'source="local_compute"')).toBe(7);
    expect(await rig.value('vllm:num_requests_waiting_by_reason', 3, 'reason="deferred"')).toBe(2);
    expect(await rig.value('vllm:time_to_first_token_seconds_bucket', 3, 'le="0.02"')).toBe(1);
    expect(await rig.value('vllm:time_to_first_token_seconds_bucket', 3, 'le="0.01"')).toBe(0);
  });
});

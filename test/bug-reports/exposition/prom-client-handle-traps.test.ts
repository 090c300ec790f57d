import { Registry } from 'prom-client';
import { expect, it } from 'vitest';
import { renderMetrics } from '../../../src/index.js';
import type { RecordingOptions } from '../../support/recording.js';
import { Frontend, inFormat, OPEN_METRICS, TEXT } from '../support/frontend.js';

/*
 * B57 https://github.com/prometheus/client_js/issues/777, https://github.com/prometheus/client_js/issues/605,
 * https://github.com/prometheus/client_js/issues/616
 * With exemplars on, a counter's child adds 1 to a series without labels, and a histogram's child has no way to pass
 * one. The report wants an option for them. We have none: vLLM exports no exemplars, and our handles are not
 * prom-client's children, so the trap is not there.
 */
it('B57: on an OpenMetrics registry handles count under their labels, without exemplars', async () => {
  const registry = inFormat(new Registry(), OPEN_METRICS);
  const frontend = new Frontend({ registry });
  frontend.arrive().out({ tok: 5, fin: 'stop' });

  const page = await frontend.page();
  expect(page.value('GTOK')).toBe(5);
  expect([...page.samples.keys()].filter((key) => !key.includes('{'))).toEqual([]);
  for (const text of [await registry.metrics(), await renderMetrics(registry)]) {
    const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(samples.filter((line) => line.includes('#'))).toEqual([]);
  }
});

it.each([TEXT, OPEN_METRICS])('B57: an option for exemplars is refused by name, %s', (contentType) => {
  const registry = inFormat(new Registry(), contentType);
  const options = { exemplars: true, registry } as RecordingOptions;
  expect(() => new Frontend(options)).toThrow(/exemplars/u);
});

/** Runtimes that have neither Buffer nor setImmediate. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderMetrics } from '../../src/prom/page/render.js';
import {
  type AnyRegistry,
  describeFamily,
  freshCopy,
  makeRegistry,
  record,
  register,
} from '../support/registries.js';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('without Node', () => {
  it('the same page is made, as a string and in chunks', async () => {
    const registry = makeRegistry();
    const [histogram, counter] = register(
      registry,
      describeFamily('histogram', 'vllm:h', ['engine'], [0.5, 1]),
      describeFamily('counter', 'vllm:c_total', ['engine']),
    );
    const engines = ['0', 'é€😀', '\ufeff'];
    for (const engine of engines) record(histogram!.family.labels(engine), 0.7);
    vi.stubGlobal('Buffer', undefined);
    vi.stubGlobal('setImmediate', undefined);
    vi.resetModules();
    const elsewhere = await import('../../src/prom/page/render.js');
    const copy = freshCopy(registry);
    for (const value of [1, 12_345, 1e9]) {
      for (const engine of engines) record(counter!.family.labels(engine), value);
      const expected = await renderMetricsInNode(registry);
      vi.stubGlobal('Buffer', undefined);
      vi.stubGlobal('setImmediate', undefined);
      let now = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => (now += 10)); // every slice ends at its first chance
      expect(await elsewhere.renderMetrics(copy)).toBe(expected);
      let text = '';
      const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
      for await (const chunk of elsewhere.metricsChunks(copy))
        text += decoder.decode(chunk, { stream: true });
      expect(text).toBe(expected);
      vi.restoreAllMocks();
    }
  });
});

function renderMetricsInNode(registry: AnyRegistry): Promise<string> {
  vi.unstubAllGlobals();
  return renderMetrics(registry);
}

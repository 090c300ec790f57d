/** The page of a whole replay, with every feature on, read by other people's programs. */
import { Counter, Registry } from 'prom-client';
import { NEVER } from 'rxjs';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseOptions } from '../../src/demo/command/parse-options.js';
import { Replay } from '../../src/demo/run/replay.js';
import { readTrace } from '../../src/demo/trace/read-trace.js';
import { defaultTrace } from '../../src/demo/trace/trace-file.js';
import { renderMetrics, withRequestMetrics } from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';
import { run } from './processes.js';
import { parseInPython } from './python-client.js';

const EVERYTHING = '--spec-tokens 4 --lora 4 --connector multi --mm-cache --mfu --engines 3'.split(' ');
const HOSTILE = 'ad"ap\\ter,1\n%';

let registry: Registry;
let page: string;
let openMetrics: string;
let samples: ReadonlyMap<string, number>;

/** Its value is the time of the scrape. */
function isLora([key]: readonly [string, number]): boolean {
  return key.startsWith('vllm:lora_requests_info');
}

function withoutLora(all: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  return new Map([...all].filter((sample) => !isLora(sample)));
}

beforeAll(async () => {
  const replay = new Replay(await readTrace(defaultTrace()), parseOptions(EVERYTHING));
  await replay.run();
  const request = { engineIndex: 0, numPromptTokens: 1, loraName: HOSTILE };
  NEVER.pipe(withRequestMetrics(replay.metrics, request)).subscribe();
  registry = replay.registry;
  new Counter({ name: 'foreign_total', help: 'Of the host.', labelNames: ['b', 'a'], registers: [registry] })
    .labels(HOSTILE, 'x')
    .inc(1.5e9);
  page = await renderMetrics(registry);
  samples = await readSamples(registry);
  // The replay declares a registry of text, prom-client ties the type to the format.
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE as never);
  openMetrics = await renderMetrics(registry);
});

function familiesOf(text: string): string[] {
  return [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!);
}

describe('the page of a replay', () => {
  it('has all that promtool asks for, vLLM’s own names aside', async () => {
    const { code, stdout, stderr } = await run('promtool', ['check', 'metrics'], { input: page });
    const vllm = familiesOf(page).filter((name) => name.startsWith('vllm:'));
    const remarks = [
      ...vllm.map((name) => `${name} metric names should not contain ':'`),
      // A histogram of vLLM's whose name ends as a counter's does.
      'vllm:iteration_tokens_total non-counter metrics should not have "_total" suffix',
    ];
    expect(vllm.length).toBe(62);
    expect(stderr.trim().split('\n').sort()).toEqual(remarks.sort());
    expect([code, stdout]).toEqual([3, '']); // 3: it has remarks, but could read it all
  });

  it('is read by the Python client as readSamples reads the registry', async () => {
    const parsed = await parseInPython(page, 'text');
    expect(parsed.samples.size).toBeGreaterThan(1500);
    expect(withoutLora(parsed.samples)).toEqual(withoutLora(samples));
    expect([...parsed.samples].filter(isLora).map(([key]) => key)).toEqual(
      [...samples].filter(isLora).map(([key]) => key),
    );
  });

  it('keeps hostile names whole', async () => {
    const { samples: parsed } = await parseInPython(page, 'text');
    expect(parsed.get(String.raw`foreign_total{a="x",b="ad\"ap\\ter,1\n%"}`)).toBe(1.5e9);
    const lora = [...parsed].filter(isLora).map(([key]) => key);
    expect(lora).toEqual([
      String.raw`vllm:lora_requests_info{max_lora="3",running_lora_adapters="",waiting_lora_adapters="ad\"ap\\ter%2C1\n%25"}`,
    ]);
  });

  it('is the same page in OpenMetrics', async () => {
    expect(openMetrics.endsWith('\n# EOF\n')).toBe(true);
    const parsed = await parseInPython(openMetrics, 'openmetrics');
    expect(withoutLora(parsed.samples)).toEqual(withoutLora(samples));
    const text = await parseInPython(page, 'text');
    expect(parsed.families).toEqual(text.families);
  });

  it('prints an idle gauge as the shell hooks compare it', async () => {
    const line = /^vllm:num_requests_running\{.*engine="0"/;
    const [running] = page.split('\n').filter((text) => line.test(text));
    const { stdout } = await run('awk', ['{ print $2 }'], { input: running! });
    expect(stdout).toBe('0.0\n');
  });
});

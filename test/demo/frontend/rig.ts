/** A frontend on a free port, without load unless asked for, and what its page says. */
import { afterEach } from 'vitest';
import type { DemoOptions } from '../../../src/demo/command/options.js';
import { parseOptions } from '../../../src/demo/command/parse-options.js';
import { builtInFleet } from '../../../src/demo/fleet/built-in-fleet.js';
import { Frontend } from '../../../src/demo/frontend/frontend.js';
import { MODEL_NAME } from '../../../src/demo/run/replay.js';
import { keptTrace } from '../../../src/demo/trace/trace.js';
import { samplesOn } from '../../support/read-page.js';

export const MODEL: string = MODEL_NAME;

const TRACE = keptTrace('azure', 16, [{ arrivalTimeMs: 0, numPromptTokens: 100, numOutputTokens: 20 }]);

export interface RunningFrontend {
  readonly url: string;
  readonly frontend: Frontend;
  /** The sum over a family's samples on `/metrics` that have these labels. */
  sum(name: string, labels?: Readonly<Record<string, string>>): Promise<number>;
  /** The JSON that a path answers with; POST if there is a body. */
  ask(path: string, body?: unknown): Promise<{ readonly status: number; readonly json: unknown }>;
  close(): Promise<void>;
}

const running = new Set<RunningFrontend>();
afterEach(async () => {
  for (const frontend of running) await frontend.close();
});

export async function startFrontend(partial: Partial<DemoOptions> = {}): Promise<RunningFrontend> {
  const options = {
    ...parseOptions([]),
    port: 0,
    load: 'off' as const,
    errorRate: 0,
    abortRate: 0,
    ...partial,
  };
  const frontend = new Frontend(TRACE, builtInFleet(TRACE, options), options);
  const url = await frontend.start();
  const ended = frontend.run();
  const started: RunningFrontend = {
    url,
    frontend,
    sum: (name, labels = {}) => sumOn(`${url}/metrics`, name, labels),
    async ask(path, body) {
      const headers = { 'content-type': 'application/json' };
      const init = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) };
      const response = await fetch(url + path, init);
      return { status: response.status, json: await response.json() };
    },
    async close() {
      running.delete(started);
      frontend.stop();
      await ended;
    },
  };
  running.add(started);
  return started;
}

async function sumOn(url: string, name: string, wanted: Readonly<Record<string, string>>): Promise<number> {
  const samples = samplesOn(await (await fetch(url)).text());
  const holds = ({ labels }: (typeof samples)[number]) =>
    Object.entries(wanted).every(([key, value]) => labels.get(key) === value);
  const found = samples.filter((sample) => sample.name === name && holds(sample));
  return found.reduce((sum, { value }) => sum + value, 0);
}

/** Asks until it is true; the time is for a server that has to notice that its client has left. */
export async function eventually(holds: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + 4000;
  while (!(await holds())) {
    if (performance.now() > until) throw new Error('it did not come true in 4 s');
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

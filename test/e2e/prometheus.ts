/** Debian's Prometheus: a server of ours, on a free port, over a folder of its own. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../support/free-port.js';
import { eventually, output, start, temporaryFolder } from './processes.js';

/** One element of an instant vector. */
export interface VectorSample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [time: number, value: string];
}

export interface Target {
  readonly scrapePool: string;
  readonly health: string;
  readonly lastError: string;
}

type Answer<T> = { status: 'success'; data: T } | { status: 'error'; error: string };

async function backfill(folder: string, samples: string): Promise<void> {
  const file = join(folder, 'samples.txt');
  writeFileSync(file, samples);
  await output('promtool', ['tsdb', 'create-blocks-from', 'openmetrics', file, join(folder, 'data')]);
}

export class Prometheus {
  readonly #url: string;
  readonly #stop: () => Promise<void>;

  private constructor(url: string, stop: () => Promise<void>) {
    this.#url = url;
    this.#stop = stop;
  }

  /**
   * `config` is its configuration file: JSON will do, which is YAML. `samples`, as OpenMetrics with timestamps, are in
   * its store from the start.
   */
  static async start(config: object, samples?: string): Promise<Prometheus> {
    const folder = temporaryFolder('prometheus');
    const file = join(folder.path, 'prometheus.yml');
    writeFileSync(file, JSON.stringify(config));
    if (samples !== undefined) await backfill(folder.path, samples);
    const address = `127.0.0.1:${await freePort()}`;
    const { child, exit } = start('prometheus', [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder.path, 'data')}`,
      `--web.listen-address=${address}`,
      '--storage.tsdb.retention.time=100y',
      '--log.level=warn',
    ]);
    const server = new Prometheus(`http://${address}`, async () => {
      child.kill('SIGTERM');
      await exit;
      folder.remove();
    });
    const failed = exit.then(({ stderr }) => Promise.reject(new Error(`Prometheus ended: ${stderr}`)));
    failed.catch(() => {}); // by then it may be meant to end
    await Promise.race([failed, server.#ready()]);
    return server;
  }

  /** An instant query, at a second since 1970 or now; one that does not parse throws. */
  async query(expr: string, second?: number): Promise<readonly VectorSample[]> {
    const parameters = { query: expr, ...(second !== undefined && { time: String(second) }) };
    return (await this.#get<{ result: VectorSample[] }>('query', parameters)).result;
  }

  async targets(): Promise<readonly Target[]> {
    return (await this.#get<{ activeTargets: Target[] }>('targets', {})).activeTargets;
  }

  /** What Grafana's `label_values(selector, label)` asks. */
  labelValues(selector: string, label: string): Promise<readonly string[]> {
    return this.#get(`label/${label}/values`, { 'match[]': selector });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  async #ready(): Promise<void> {
    await eventually(async () => ((await fetch(`${this.#url}/-/ready`)).ok ? true : undefined), 30);
  }

  async #get<T>(path: string, parameters: Record<string, string>): Promise<T> {
    const query = new URLSearchParams(parameters);
    const answer = (await (await fetch(`${this.#url}/api/v1/${path}?${query}`)).json()) as Answer<T>;
    if (answer.status === 'error') throw new Error(`${parameters['query'] ?? path}: ${answer.error}`);
    return answer.data;
  }
}

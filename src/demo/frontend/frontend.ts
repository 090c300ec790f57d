import type { DemoOptions } from '../command/options.js';
import type { Fleet } from '../fleet/fleet.js';
import type { Trace } from '../trace/trace.js';
import { frontendApp } from './app.js';
import { LiveServing } from './live-serving.js';
import { type AppServer, serveApp } from './serve-app.js';
import { TraceLoad } from './trace-load.js';

/** The whole frontend of a fleet: load and server. */
export class Frontend {
  readonly serving: LiveServing;
  readonly load: TraceLoad;
  readonly #options: DemoOptions;
  #server: AppServer | undefined;

  constructor(trace: Trace, fleet: Fleet, options: DemoOptions) {
    this.serving = new LiveServing(fleet, options);
    this.load = new TraceLoad(trace, this.serving, options);
    this.#options = options;
  }

  /** Listens; gives the address. @throws {UsageError} if it cannot be had. */
  async start(): Promise<string> {
    const { host, port } = this.#options;
    this.#server = await serveApp(frontendApp(this.serving, this.load), host, port);
    return this.#server.url;
  }

  /** Runs the load until {@link stop}, then takes everything down. */
  async run(): Promise<void> {
    try {
      await this.load.run();
    } finally {
      await this.#server?.close();
      await this.serving.stop();
    }
  }

  stop(): void {
    this.load.stop();
  }
}

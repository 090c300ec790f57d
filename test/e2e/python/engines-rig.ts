/** Engines in Python behind `connectEngines`, with the page of what they do. */
import { type Observable, take } from 'rxjs';
import {
  type EngineCoreStreamOutput,
  type FinishReason,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../../src/index.js';
import type { EngineCoreRequest } from '../../../src/wire/index.js';
import { connectEngines, type EngineCoreClient, type SocketDiagnostic } from '../../../src/zeromq/index.js';
import { freePort } from '../../support/free-port.js';
import { type Recording, recording } from '../../support/recording.js';
import { type EngineReport, PythonEngine } from './python-engine.js';

/** The second one needs both bytes of an identity. */
export const ENGINES = [0, 258] as const;

/** More tokens than any test waits for. */
export const WITHOUT_END = 1_000_000;

/** The tokens that such an engine makes of a prompt that ends just below `token`. */
export function upFrom(token: number, count: number): number[] {
  return Array.from({ length: count }, (_, i) => token + i);
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** What a stream's consumer sees. */
export interface Seen {
  readonly tokens: number[];
  finishReason?: FinishReason;
  stopReason?: number | string;
  error?: unknown;
}

/** Resolves at the stream's end, whatever it is. */
function seenOf(stream: Observable<EngineCoreStreamOutput>): Promise<Seen> {
  const seen: Seen = { tokens: [] };
  return new Promise((resolve) => {
    stream.subscribe({
      next: ({ output: { newTokenIds, finishReason, stopReason } }) => {
        seen.tokens.push(...newTokenIds);
        if (finishReason != null) seen.finishReason = finishReason;
        if (stopReason != null) seen.stopReason = stopReason;
      },
      error: (error: unknown) => resolve({ ...seen, error }),
      complete: () => resolve(seen),
    });
  });
}

export class EnginesRig {
  readonly handshake: string;
  readonly client: EngineCoreClient;
  readonly recording: Recording;
  readonly diagnostics: readonly SocketDiagnostic[];
  readonly #engines: Map<number, PythonEngine>;

  private constructor(
    handshake: string,
    client: EngineCoreClient,
    engines: Map<number, PythonEngine>,
    diagnostics: readonly SocketDiagnostic[],
  ) {
    this.handshake = handshake;
    this.client = client;
    this.#engines = engines;
    this.diagnostics = diagnostics;
    this.recording = recording({ engines: ENGINES });
    client.batches$.pipe(withSchedulerMetrics(this.recording.metrics)).subscribe();
  }

  static async start(): Promise<EnginesRig> {
    const handshake = `tcp://127.0.0.1:${await freePort()}`;
    const engines = new Map(ENGINES.map((index) => [index, new PythonEngine(handshake, index)]));
    const diagnostics: SocketDiagnostic[] = [];
    const onDiagnostic = (diagnostic: SocketDiagnostic) => diagnostics.push(diagnostic);
    try {
      const client = await connectEngines({ handshake, engines: ENGINES, onDiagnostic });
      return new EnginesRig(handshake, client, engines, diagnostics);
    } catch (error) {
      await Promise.all([...engines.values()].map((engine) => engine.kill()));
      throw error;
    }
  }

  /** Sends a request, measured; its consumer leaves after so many outputs. */
  open(
    request: EngineCoreRequest,
    engineIndex: number,
    leavesAfter: number = Number.POSITIVE_INFINITY,
  ): Promise<Seen> {
    const numPromptTokens = request.promptTokenIds.length;
    const stream = this.client.generate(request, { engineIndex });
    const measured = stream.pipe(withRequestMetrics(this.recording.metrics, { numPromptTokens }));
    return seenOf(measured.pipe(take(leavesAfter)));
  }

  engine(engineIndex: number): PythonEngine {
    return this.#engines.get(engineIndex)!;
  }

  /** A new process in the place of one that is lost. */
  async restart(engineIndex: number): Promise<void> {
    await this.engine(engineIndex).kill();
    this.#engines.set(engineIndex, new PythonEngine(this.handshake, engineIndex));
  }

  /** What the engines report, after all that they sent has been taken: the answer comes after it. */
  async end(): Promise<ReadonlyMap<number, EngineReport>> {
    await this.client.utility('is_sleeping');
    const reports = [...this.#engines].map(async ([index, engine]) => [index, await engine.end()] as const);
    return new Map(await Promise.all(reports));
  }

  async close(): Promise<void> {
    await this.client.close();
    await Promise.all([...this.#engines.values()].map((engine) => engine.kill()));
  }
}

/** A frontend and engines on loopback, on a free port. */
import { type Observable, Subject } from 'rxjs';
import type { EngineCoreOutputs } from '../../src/index.js';
import type { EngineCoreRequest } from '../../src/wire/index.js';
import {
  type ConnectEnginesOptions,
  connectEngines,
  type EngineCoreClient,
  type EngineServer,
  type EngineSource,
  type ServeEnginesOptions,
  type SocketDiagnostic,
  serveEngines,
} from '../../src/zeromq/index.js';
import { freePort } from '../support/free-port.js';

/** Engines in the test's hands: what they are asked, and what they send. */
export class HandSource implements EngineSource {
  readonly submitted: { readonly engineIndex: number; readonly request: EngineCoreRequest }[] = [];
  readonly aborted: string[] = [];
  readonly #outputs = new Map<number, Subject<EngineCoreOutputs>>();
  readonly #changed = new Subject<void>();

  submit(engineIndex: number, request: EngineCoreRequest): void {
    this.submitted.push({ engineIndex, request });
    this.#changed.next();
  }

  abort(_engineIndex: number, ids: readonly string[]): void {
    this.aborted.push(...ids);
    this.#changed.next();
  }

  outputs(engineIndex: number): Observable<EngineCoreOutputs> {
    const subject = this.#outputs.get(engineIndex) ?? new Subject();
    this.#outputs.set(engineIndex, subject);
    return subject;
  }

  /** Resolves once `holds`. */
  async until(holds: (source: this) => boolean): Promise<void> {
    while (!holds(this)) {
      await new Promise<void>((resolve) => {
        const subscription = this.#changed.subscribe(() => {
          subscription.unsubscribe();
          resolve();
        });
      });
    }
  }

  send(batch: Partial<EngineCoreOutputs> & { readonly engineIndex: number }): void {
    this.outputs(batch.engineIndex);
    this.#outputs.get(batch.engineIndex)?.next({ timestamp: 1, outputs: [], ...batch });
  }

  /** One token of a request, its last one if `final`. */
  token(engineIndex: number, requestId: string, final = false): void {
    const output = { requestId, newTokenIds: [7], ...(final && { finishReason: 'stop' as const }) };
    this.send({ engineIndex, outputs: [output] });
  }
}

export interface Loopback {
  readonly handshake: string;
  readonly client: EngineCoreClient;
  readonly server: EngineServer;
  readonly diagnostics: SocketDiagnostic[];
}

const open: { close(): Promise<void> }[] = [];

/** Both sides, connected. */
export async function loopback(
  source: EngineSource,
  engines: number | readonly number[],
  options: Partial<ConnectEnginesOptions> & Partial<Pick<ServeEnginesOptions, 'abortReply' | 'fields'>> = {},
): Promise<Loopback> {
  const { abortReply, fields, ...connect } = options;
  const handshake = options.handshake ?? `tcp://127.0.0.1:${await freePort()}`;
  const diagnostics: SocketDiagnostic[] = [];
  const [client, server] = await Promise.all([
    connectEngines({
      onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
      ...connect,
      handshake,
      engines,
    }),
    serveEngines(source, {
      handshake,
      engines,
      ...(abortReply && { abortReply }),
      ...(fields && { fields }),
    }),
  ]);
  open.push(client, server);
  return { handshake, client, server, diagnostics };
}

/** Closed with the others by {@link closeAll}. */
export function keep<T extends { close(): Promise<void> }>(resource: T): T {
  open.push(resource);
  return resource;
}

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  await Promise.all(open.splice(0).map((each) => each.close()));
}

/** What a stream's consumer sees: numbers of tokens, then how it ended. */
export function watch(stream: Observable<{ readonly output: { readonly newTokenIds: ArrayLike<number> } }>): {
  readonly seen: unknown[];
  readonly ended: Promise<unknown>;
  unsubscribe(): void;
} {
  const seen: unknown[] = [];
  let end: (how: unknown) => void = () => {};
  const ended = new Promise<unknown>((resolve) => {
    end = resolve;
  });
  const subscription = stream.subscribe({
    next: ({ output }) => seen.push(output.newTokenIds.length),
    error: (error) => end(seen[seen.push(error) - 1]),
    complete: () => end(seen[seen.push('complete') - 1]),
  });
  return { seen, ended, unsubscribe: () => subscription.unsubscribe() };
}

/** Waits until it holds; for what only the other side knows. */
export async function eventually(holds: () => boolean, withinMs = 5_000): Promise<void> {
  const latest = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > latest) throw new Error(`expected it to hold within ${withinMs} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

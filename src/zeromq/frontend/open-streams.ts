import { Observable, type Subscriber } from 'rxjs';
import type { EngineCoreStreamOutput } from '../../engine-core/engine-core-outputs.js';
import { DuplicateRequestIdError, type RequestStreamClosedError } from '../../router/errors.js';
import { OutputRouter } from '../../router/output-router.js';
import { EngineCoreOutputStream } from '../../router/tag-engine.js';
import { EngineLostError } from '../engine-lost-error.js';
import type { EngineLink } from './engine-link.js';
import { RecentIds } from './recent-ids.js';

/** Sends to engines for streams; rejects if the engine cannot be reached, and is lost. */
export interface StreamSender {
  add(link: EngineLink, request: Uint8Array): Promise<void>;
  abort(link: EngineLink, requestId: string): Promise<void>;
}

interface OpenStream {
  readonly requestId: string;
  readonly link: EngineLink;
  readonly request: Uint8Array;
  isSubscribed: boolean;
  /** Its engine knows of it. */
  isSent: boolean;
}

/** The loss of an engine goes to its streams as it is. */
function errorOf(closed: RequestStreamClosedError): unknown {
  return closed.cause instanceof EngineLostError ? closed.cause : closed;
}

/** A client's requests: from `generate` to their end, whatever ends them. */
export class OpenStreams {
  readonly router: OutputRouter = new OutputRouter();
  readonly #sender: StreamSender;
  readonly #open = new Map<string, OpenStream>();
  readonly #recent = new RecentIds();

  constructor(sender: StreamSender) {
    this.#sender = sender;
  }

  /** @throws {DuplicateRequestIdError} if the id is open, or was among the last that ended. */
  assertFree(requestId: string): void {
    if (this.#open.has(requestId)) throw new DuplicateRequestIdError(requestId, 'one that is open');
    if (this.#recent.has(requestId)) throw new DuplicateRequestIdError(requestId, 'one that was used before');
  }

  /** The stream of a request; `request` goes to its engine with the subscription. */
  open(requestId: string, link: EngineLink, request: Uint8Array): EngineCoreOutputStream {
    const stream: OpenStream = { requestId, link, request, isSubscribed: false, isSent: false };
    const onAbort = () => {
      if (stream.isSent) this.#sender.abort(link, requestId).catch(() => {});
    };
    const outputs = this.router.open(requestId, link.engineIndex, { onAbort, errorOf });
    this.#open.set(requestId, stream);
    link.inFlight++;
    const source = new Observable<EngineCoreStreamOutput>((subscriber) =>
      this.#subscribe(stream, outputs, subscriber),
    );
    return new EngineCoreOutputStream(link.engineIndex, requestId, source);
  }

  /** Ends the streams of an engine with `lost`. */
  failEngine(link: EngineLink, lost: EngineLostError): void {
    const streams = this.#of(link);
    this.router.failEngine(link.engineIndex, lost);
    for (const stream of streams) this.#release(stream); // those that nobody has subscribed to
  }

  /** Ids that an engine has been sent and not yet ended. */
  sentTo(link: EngineLink): readonly string[] {
    return this.#of(link)
      .filter(({ isSent }) => isSent)
      .map(({ requestId }) => requestId);
  }

  #of(link: EngineLink): readonly OpenStream[] {
    return [...this.#open.values()].filter((stream) => stream.link === link);
  }

  #subscribe(
    stream: OpenStream,
    outputs: EngineCoreOutputStream,
    subscriber: Subscriber<EngineCoreStreamOutput>,
  ): void {
    if (!stream.isSubscribed) {
      stream.isSubscribed = true;
      subscriber.add(() => this.#release(stream));
    }
    outputs.subscribe(subscriber);
    if (subscriber.closed || stream.isSent) return;
    stream.isSent = true;
    this.#sender.add(stream.link, stream.request).catch(() => {}); // the loss ends the stream
  }

  #release(stream: OpenStream): void {
    if (this.#open.get(stream.requestId) !== stream) return;
    this.#open.delete(stream.requestId);
    this.#recent.add(stream.requestId);
    stream.link.inFlight--;
  }
}

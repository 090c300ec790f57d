import type { UtilityOutput } from '../../engine-core/engine-core-outputs.js';
import { encodeUtilityCall } from '../../wire/requests/utility-call.js';
import type { EngineLink } from './engine-link.js';

interface PendingCall {
  readonly engineIndex: number;
  readonly method: string;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends a call to an engine; rejects if it cannot be reached, and is lost. */
export type SendCall = (link: EngineLink, payload: Uint8Array) => Promise<void>;

/** Calls of engines' methods that wait for their answers. Each has an id of its own, from 1 on. */
export class UtilityCalls {
  readonly #send: SendCall;
  readonly #pending = new Map<number, PendingCall>();
  #lastId = 0;

  constructor(send: SendCall) {
    this.#send = send;
  }

  /**
   * Resolves with the answer. Rejects if the engine failed, or is lost.
   * @throws {TypeError | RangeError} on a bad method or argument; nothing is sent then.
   */
  call(link: EngineLink, method: string, args: readonly unknown[]): Promise<unknown> {
    const callId = this.#lastId + 1;
    const payload = encodeUtilityCall({ callId, method, args });
    this.#lastId = callId;
    return new Promise((resolve, reject) => {
      this.#pending.set(callId, { engineIndex: link.engineIndex, method, resolve, reject });
      this.#send(link, payload).catch(() => {}); // the loss rejects the call
    });
  }

  /** Unknown ids are no error: engines send notices with ids of their own. */
  answer({ callId, failureMessage, result }: UtilityOutput): void {
    const call = this.#pending.get(Number(callId));
    if (call === undefined) return;
    this.#pending.delete(Number(callId));
    if (failureMessage === undefined || failureMessage === null) call.resolve(result);
    else call.reject(new Error(`${call.method}: engine ${call.engineIndex} failed: ${failureMessage}`));
  }

  /** Rejects the calls of one engine, or all. */
  fail(error: unknown, engineIndex?: number): void {
    for (const [callId, call] of this.#pending) {
      if (engineIndex !== undefined && call.engineIndex !== engineIndex) continue;
      this.#pending.delete(callId);
      call.reject(error);
    }
  }
}

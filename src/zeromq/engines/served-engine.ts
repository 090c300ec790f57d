import type { Subscription } from 'rxjs';
import type { FinishReason } from '../../engine-core/engine-core-event.js';
import type { EngineCoreOutput, EngineCoreOutputs } from '../../engine-core/engine-core-outputs.js';
import type { EngineCoreRequest } from '../../engine-core/engine-core-request.js';
import { type EncodeOutputsOptions, encodeEngineCoreOutputs } from '../../wire/index.js';
import { decodeAbortIds } from '../../wire/requests/abort-ids.js';
import { decodeEngineCoreRequest } from '../../wire/requests/decode-request.js';
import { ABORT, ADD, UTILITY } from '../../wire/requests/request-type.js';
import { decodeUtilityCall } from '../../wire/requests/utility-call.js';
import { type SocketDiagnostic, textOf } from '../socket-diagnostic.js';
import type { EventLoopSlices } from '../sockets/event-loop-slices.js';
import type { EngineSockets } from './engine-sockets.js';
import type { AbortReply, EngineSource } from './engine-source.js';
import { answerTo } from './utility-answer.js';

/** How an engine behaves. */
export interface EngineHabits {
  readonly abortReply: AbortReply;
  readonly fields: NonNullable<EncodeOutputsOptions['fields']>;
  readonly report: (diagnostic: SocketDiagnostic) => void;
}

const DEATH_NOTICE = new TextEncoder().encode('ENGINE_CORE_DEAD');

function ending(requestId: string, finishReason: FinishReason): EngineCoreOutput {
  return { requestId, newTokenIds: [], finishReason };
}

/** One life of a served engine: requests of its frontend go to the source, outputs of the source to the frontend. */
export class ServedEngine {
  readonly #engineIndex: number;
  readonly #sockets: EngineSockets;
  readonly #source: EngineSource;
  readonly #habits: EngineHabits;
  readonly #live = new Set<string>();
  readonly #outputs: Subscription;
  /** Of the engine's last step, in seconds of its clock. */
  #timestamp = 0;

  constructor(
    engineIndex: number,
    sockets: EngineSockets,
    source: EngineSource,
    habits: EngineHabits,
    slices: EventLoopSlices,
  ) {
    this.#engineIndex = engineIndex;
    this.#sockets = sockets;
    this.#source = source;
    this.#habits = habits;
    this.#outputs = source.outputs(engineIndex).subscribe({
      next: (batch) => this.#step(batch),
      error: () => void this.die(),
    });
    sockets.receive(slices, (type, payload) => this.#read(type, payload));
  }

  sendRaw(message: Uint8Array): void {
    this.#sockets.send(message);
  }

  /** As a process that is killed: nothing is said. */
  kill(): void {
    this.#sockets.cut();
    this.#forget();
  }

  /** As a Python engine that fails in its loop. */
  async die(): Promise<void> {
    this.#sockets.send(DEATH_NOTICE);
    await this.close();
  }

  async close(): Promise<void> {
    this.#forget();
    await this.#sockets.close();
  }

  #forget(): void {
    this.#outputs.unsubscribe();
    const ids = [...this.#live];
    this.#live.clear();
    if (ids.length > 0) this.#source.abort(this.#engineIndex, ids);
  }

  #step(batch: EngineCoreOutputs): void {
    for (const { requestId, finishReason } of batch.outputs) if (finishReason) this.#live.delete(requestId);
    for (const requestId of batch.finishedRequests ?? []) this.#live.delete(requestId);
    this.#timestamp = batch.timestamp;
    this.#send(batch);
  }

  #send(batch: EngineCoreOutputs): void {
    const { fields } = this.#habits;
    try {
      this.#sockets.send(encodeEngineCoreOutputs(batch, { fields }));
    } catch (error) {
      this.#report('output', error); // the source made what the wire has no form for
    }
  }

  #read(type: number, payload: Uint8Array): void {
    try {
      if (type === ADD) this.#add(decodeEngineCoreRequest(payload));
      else if (type === ABORT) this.#abort(decodeAbortIds(payload));
      else if (type === UTILITY)
        this.#send(answerTo(decodeUtilityCall(payload), this.#engineIndex, this.#timestamp));
      else throw new RangeError(`request type: expected 0, 1 or 3, got ${type}`);
    } catch (error) {
      this.#report('input', error); // ignored without an answer, as upstream's mock engine does
    }
  }

  #add(request: EngineCoreRequest): void {
    const { requestId, samplingParams, poolingParams } = request;
    try {
      if (this.#live.has(requestId)) throw new RangeError(`requestId: expected a new one, got ${requestId}`);
      if (!samplingParams && !poolingParams) throw new TypeError('samplingParams: expected them, got none');
      this.#live.add(requestId);
      this.#source.submit(this.#engineIndex, request);
    } catch (error) {
      this.#report('input', error);
      this.#end([requestId], 'error');
    }
  }

  #abort(ids: readonly string[]): void {
    const live = ids.filter((id) => this.#live.delete(id));
    if (live.length === 0) return;
    this.#source.abort(this.#engineIndex, live);
    if (this.#habits.abortReply === 'final-output') this.#end(live, 'abort');
  }

  #end(ids: readonly string[], reason: FinishReason): void {
    for (const id of ids) this.#live.delete(id);
    this.#send({
      engineIndex: this.#engineIndex,
      timestamp: this.#timestamp,
      outputs: ids.map((id) => ending(id, reason)),
      finishedRequests: ids,
    });
  }

  #report(source: string, error: unknown): void {
    this.#habits.report({ source, message: textOf(error), engineIndex: this.#engineIndex });
  }
}

/** A capture through decoder, router and both operators: one subscription an ADD, one unsubscribe an ABORT. */
import { Registry } from 'prom-client';
import { Subject, type Subscription } from 'rxjs';
import {
  type EngineCoreOutputs,
  type FinishedRequestStats,
  OutputRouter,
  type ParallelSampling,
  ServingMetrics,
  withRequestMetrics,
  withSchedulerMetrics,
} from '../../../src/index.js';
import {
  decodeEngineCoreRequest,
  EngineCoreOutputsDecoder,
  type LoraRequest,
} from '../../../src/wire/index.js';
import { decodeAbortIds } from '../../../src/wire/requests/abort-ids.js';
import { type Capture, messagesOf } from './capture.js';

const ADD = 0;
const ABORT = 1;

/** Release 0.32.0 sends six fields, the name first. */
function nameOf(lora: LoraRequest | readonly unknown[]): string {
  return Array.isArray(lora) ? (lora[0] as string) : (lora as LoraRequest).loraName;
}

export class CaptureReplay {
  readonly registry: Registry = new Registry();
  readonly metrics: ServingMetrics;
  /** Records of requests whose client had left. */
  readonly aborts: FinishedRequestStats[] = [];
  readonly diagnostics: string[] = [];
  readonly #capture: Capture;
  readonly #router = new OutputRouter();
  readonly #batches = new Subject<EngineCoreOutputs>();
  readonly #decoder: EngineCoreOutputsDecoder;
  readonly #live = new Map<string, Subscription>();
  readonly #parents = new Map<string, ParallelSampling>();

  constructor(capture: Capture) {
    this.#capture = capture;
    this.metrics = new ServingMetrics({
      registry: this.registry,
      modelName: 'tiny-random',
      maxModelLen: capture.maxModelLen ?? 1024,
      onDiagnostic: ({ source }) => this.diagnostics.push(source),
    });
    this.metrics.finishedRequests.subscribe((request) => {
      if (request.finishReason === 'abort' && this.#live.has(request.requestId!)) this.aborts.push(request);
    });
    this.#decoder = new EngineCoreOutputsDecoder({
      onDiagnostic: ({ source }) => this.diagnostics.push(source),
    });
    this.#batches.pipe(withSchedulerMetrics(this.metrics)).subscribe(this.#router);
  }

  run(): this {
    for (const message of messagesOf(this.#capture)) {
      if (message.kind === 'outputs') this.#batches.next(this.#decoder.decode(message.frames));
      else if (message.type === ADD) this.#add(message.engineIndex, message.payload);
      else if (message.type === ABORT)
        for (const id of decodeAbortIds(message.payload)) this.#live.get(id)?.unsubscribe();
    }
    return this;
  }

  #add(engineIndex: number, payload: Uint8Array): void {
    const { requestId, promptTokenIds, samplingParams, loraRequest, externalReqId } =
      decodeEngineCoreRequest(payload);
    const parent = this.#parentOf(requestId, externalReqId ?? undefined);
    const isStop = this.#capture.stopStringAborts?.includes(requestId);
    const operator = withRequestMetrics(this.metrics, {
      numPromptTokens: promptTokenIds.length,
      maxTokens: samplingParams ? (samplingParams.maxTokens ?? 16) : null,
      ...(loraRequest && { loraName: nameOf(loraRequest) }),
      ...(parent && { parent }),
      ...(isStop && { unsubscribeReason: () => 'stop' as const }),
    });
    const stream = this.#router.open(requestId, engineIndex).pipe(operator);
    this.#live.set(requestId, stream.subscribe({ complete: () => this.#live.delete(requestId) }));
  }

  /** `n` sequences are requests of their own, numbered before the id that they share. */
  #parentOf(requestId: string, externalId: string | undefined): ParallelSampling | undefined {
    const shared = /^\d+_(.*)$/.exec(requestId)?.[1];
    if (shared === undefined) return undefined;
    const key = externalId ?? shared;
    const known = this.#parents.get(key);
    if (known !== undefined) return known;
    const siblings = [...messagesOf(this.#capture)].filter(
      (message) =>
        message.kind === 'request' &&
        message.type === ADD &&
        (decodeEngineCoreRequest(message.payload).externalReqId ?? '') === key &&
        /^\d+_/.test(decodeEngineCoreRequest(message.payload).requestId),
    );
    const made = this.metrics.parallelSampling(siblings.length);
    this.#parents.set(key, made);
    return made;
  }
}

/** What our rules make of a golden case's requests, by the plain model: for keys on which upstream differs. */
import { ReferenceRequest } from '../../model/request.js';
import { type Extra, SilentSheet } from '../../model/sheet.js';
import type { GoldenRequest, GoldenStep } from './golden-case.js';

/** Every sample of requests, whatever the bounds are that a page counts it by. */
class Values extends SilentSheet {
  readonly #totals = new Map<string, number>();
  readonly #observed = new Map<string, number[]>();

  override add(name: string, engine: number, n: number, extra: Extra = {}): void {
    const key = [name, engine, ...Object.values(extra)].join();
    this.#totals.set(key, (this.#totals.get(key) ?? 0) + n);
  }

  override observe(name: string, engine: number, value: number): void {
    const values = this.#observed.get(`${name},${engine}`) ?? [];
    this.#observed.set(`${name},${engine}`, [...values, value]);
  }

  /** A counter's total, by the value of its one more label if it has one. */
  total(name: string, engine: string, ...extra: readonly string[]): number {
    return this.#totals.get([name, engine, ...extra].join()) ?? 0;
  }

  observed(name: string, engine: string): readonly number[] {
    return this.#observed.get(`${name},${engine}`) ?? [];
  }
}

interface Live {
  readonly request: GoldenRequest;
  readonly reference: ReferenceRequest;
}

export class Reference {
  readonly values: Values = new Values();
  readonly #requests = new Map<string, Live>();

  constructor(steps: readonly GoldenStep[] = []) {
    for (const step of steps) this.step(step);
  }

  step({ receivedAt, request, batch, end, requestId }: GoldenStep): void {
    const nowMs = receivedAt * 1000;
    if (request !== undefined) this.#start(request);
    for (const output of batch?.outputs ?? []) {
      const { engineIndex, timestamp } = batch!;
      this.#requests.get(output.requestId)?.reference.next({ engineIndex, timestamp, output }, nowMs);
    }
    if (end !== undefined) this.#requests.get(requestId!)!.reference.end('abort', nowMs);
  }

  /** Adapters of the live requests that wait, or run: their names as the page lists them. */
  adapters(place: 'waiting' | 'running'): string {
    const live = [...this.#requests.values()].filter(
      ({ request, reference }) =>
        request.loraName !== undefined && reference.ended === undefined && reference.place === place,
    );
    const names = new Set(live.map(({ request }) => request.loraName!));
    const encoded = [...names].map((name) => name.replaceAll('%', '%25').replaceAll(',', '%2C'));
    return encoded.sort().join(',');
  }

  #start(request: GoldenRequest): void {
    const { requestId, engineIndex, numPromptTokens, maxTokens, arrivalTime } = request;
    const reference = new ReferenceRequest(this.values, {
      engineIndex,
      numPromptTokens,
      maxTokens: maxTokens ?? undefined,
      arrivalMs: arrivalTime * 1000,
      n: 1,
      parent: undefined,
      omit: false,
    });
    this.#requests.set(requestId, { request, reference });
  }
}

/** The value that the sample of a key must have. */
export function referenceSample({ values }: Reference, key: string): number {
  const [, name, text] = /^vllm:([^{]*)\{(.*)\}$/u.exec(key)!;
  const labels = Object.fromEntries(
    [...text!.matchAll(/(\w+)="([^"]*)"/gu)].map(([, label, value]) => [label!, value!]),
  );
  const { engine, model_name: _model, le, ...extra } = labels;
  const family = name!.replace(/_(bucket|sum|count)$/u, '');
  if (family === name) return values.total(name, engine!, ...Object.values(extra));
  const observed = values.observed(family, engine!);
  if (name!.endsWith('_sum')) return observed.reduce((sum, value) => sum + value, 0);
  const bound = Number((le ?? '+Inf').replace('+Inf', 'Infinity'));
  return observed.filter((value) => value <= bound).length;
}

/** The key of the LoRA series; with `max_lora` it stays on the page, its lists empty while no adapter is live. */
export function referenceAdapters(reference: Reference, maxLora: number): string {
  const lists = ['running', 'waiting'] as const;
  const labels = lists.map((place) => `${place}_lora_adapters="${reference.adapters(place)}"`);
  return `vllm:lora_requests_info{max_lora="${maxLora}",${labels.join()}}`;
}

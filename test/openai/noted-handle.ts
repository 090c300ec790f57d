import type {
  EngineCoreStreamOutput,
  FinishReason,
  RequestHandle,
  RequestUsage,
  TokenSource,
} from '../../src/index.js';

/** A handle that notes what it is told, in order; times are those of a clock that counts the times it was asked. */
export class NotedHandle implements RequestHandle {
  readonly told: string[];
  readonly n: number;
  ended = false;
  readonly #index: number;
  readonly #choices: Map<number, NotedHandle>;

  constructor(n = 1, index = 0, told: string[] = [], choices: Map<number, NotedHandle> = new Map()) {
    this.n = n;
    this.told = told;
    this.#index = index;
    this.#choices = choices;
    choices.set(index, this);
  }

  now(): number {
    return 1;
  }

  next(_: EngineCoreStreamOutput): void {
    this.#note('next');
  }

  tokens(count: number, _: number | undefined, source: TokenSource = 'chunks'): void {
    this.#note(`tokens ${count} ${source}`);
  }

  usage({ promptTokens, cachedTokens, completionTokens }: RequestUsage): void {
    this.#note(`usage ${promptTokens} ${cachedTokens} ${completionTokens}`);
  }

  end(reason: FinishReason): void {
    if (this.ended) return;
    this.#note(reason);
    this.ended = true;
  }

  fail(): void {
    for (const choice of this.#choices.values()) choice.end('error');
  }

  choice(index: number): RequestHandle {
    return this.#choices.get(index) ?? new NotedHandle(this.n, index, this.told, this.#choices);
  }

  [Symbol.dispose](): void {
    for (const choice of this.#choices.values()) choice.end('abort');
  }

  report(source: string, _: string, __: unknown): void {
    this.#note(`! ${source}`);
  }

  span(): void {
    this.#note('span');
  }

  #note(text: string): void {
    if (!this.ended) this.told.push(`${this.#index}: ${text}`);
  }
}

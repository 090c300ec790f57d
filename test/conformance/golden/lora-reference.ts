/** Where each adapter's requests are, by our rules: waiting from their start, running from SCHEDULED, gone at the end. */
import type { GoldenStep } from './golden-case.js';

export class LoraReference {
  readonly #live = new Map<string, { readonly adapter: string; state: 'waiting' | 'running' }>();

  step({ request, batch }: GoldenStep): void {
    if (request?.loraName !== undefined)
      this.#live.set(request.requestId, { adapter: request.loraName, state: 'waiting' });
    for (const { requestId, events, finishReason } of batch?.outputs ?? []) {
      const live = this.#live.get(requestId);
      for (const { type } of events ?? []) {
        if (live !== undefined && type !== 'queued')
          live.state = type === 'scheduled' ? 'running' : 'waiting';
      }
      if (finishReason) this.#live.delete(requestId);
    }
  }

  /** One series, with empty lists while no adapter is live: `max_lora` keeps it on the page. */
  keys(maxLora: number): string[] {
    const names = (state: string) =>
      [
        ...new Set(
          [...this.#live.values()].filter((live) => live.state === state).map(({ adapter }) => adapter),
        ),
      ]
        .map((adapter) => adapter.replaceAll('%', '%25').replaceAll(',', '%2C'))
        .sort()
        .join(',');
    const [running, waiting] = [names('running'), names('waiting')];
    return [
      `vllm:lora_requests_info{max_lora="${maxLora}",running_lora_adapters="${running}",waiting_lora_adapters="${waiting}"}`,
    ];
  }
}

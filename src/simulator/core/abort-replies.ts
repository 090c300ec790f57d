import type { EngineCoreOutput } from '../../engine-core/engine-core-outputs.js';
import type { AbortReply } from '../options.js';
import { coreOutput, tokenIds } from './core-messages.js';
import type { LiveRequest } from './live-request.js';

/** What an engine still has to say about aborted requests; leaves with its next batch. */
export class AbortReplies {
  readonly #kind: AbortReply;
  #outputs: EngineCoreOutput[] = [];
  #ids: string[] = [];

  constructor(kind: AbortReply) {
    this.#kind = kind;
  }

  add(request: LiveRequest): void {
    // Its client may be gone, so no prompt may be counted with this output.
    request.prefillStats = undefined;
    if (this.#kind === 'final-output') this.#outputs.push(coreOutput(request, tokenIds(0), 'abort'));
    else if (this.#kind === 'finished-requests') this.#ids.push(request.requestId);
  }

  /** Appends the outputs to those of a step. */
  moveOutputsTo(outputs: EngineCoreOutput[]): void {
    for (const output of this.#outputs) outputs.push(output);
    this.#outputs.length = 0;
  }

  takeIds(): readonly string[] | undefined {
    if (this.#ids.length === 0) return undefined;
    const ids = this.#ids;
    this.#ids = [];
    return ids;
  }
}

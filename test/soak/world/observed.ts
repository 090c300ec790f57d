/** One request that is read, with what the rules say that it should have recorded. */
import type { EngineCoreStreamOutput, FinishReason } from '../../../src/index.js';
import { ReferenceRequest } from '../../model/request.js';
import type { ModelCounts } from './counts.js';
import type { Asked } from './opening.js';
import type { Plan } from './plan.js';

export class Observed {
  readonly plan: Plan;
  readonly #reference: ReferenceRequest;

  constructor(plan: Plan, model: ModelCounts, { arrivalMs, maxTokens }: Asked) {
    const { engineIndex, numPromptTokens, family } = plan;
    this.plan = plan;
    model.engine(engineIndex).revive();
    this.#reference = new ReferenceRequest(model, {
      engineIndex,
      numPromptTokens,
      arrivalMs,
      maxTokens,
      n: 1,
      parent: family?.reference,
      omit: false,
    });
  }

  get ended(): boolean {
    return this.#reference.ended !== undefined;
  }

  /** False once the instance was disposed that records it. */
  get counted(): boolean {
    return !this.#reference.isForgotten;
  }

  /** Where the LoRA series should list its adapter. */
  get lora(): 'waiting' | 'running' | undefined {
    return this.plan.loraName === undefined || this.ended ? undefined : this.#reference.place;
  }

  forget(): void {
    this.#reference.forget();
  }

  output(value: EngineCoreStreamOutput, nowMs: number): void {
    this.#reference.next(value, nowMs);
  }

  end(reason: FinishReason, nowMs: number): void {
    this.#reference.end(reason, nowMs);
  }
}

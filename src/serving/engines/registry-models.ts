/** What the instances on one registry share beside the figures, whichever loaded copy of the package made them. */

import type { ComputedSample } from '../../prom/registered-family.js';
import { cacheConfigSamples } from './cache-config.js';
import { type LoraTracker, loraSamples } from './lora.js';
import type { ModelEngine } from './model-engine.js';

/** One model's engines, and the instances that serve it. */
export interface ServedModel {
  readonly engines: Map<number, ModelEngine>;
  readonly instances: Set<object>;
}

export class RegistryModels {
  readonly models: Map<string, ServedModel> = new Map();
  readonly loras: Set<LoraTracker> = new Set();

  /** Gets or makes the state of a model and adds `instance` to those that serve it. */
  join(modelName: string, instance: object): ServedModel {
    let model = this.models.get(modelName);
    if (model === undefined) {
      model = { engines: new Map(), instances: new Set() };
      this.models.set(modelName, model);
    }
    model.instances.add(instance);
    return model;
  }

  /** Takes `instance` from a model's; cache configurations leave with the last one. */
  leave(modelName: string, instance: object): void {
    const model = this.models.get(modelName);
    if (model?.instances.delete(instance) && model.instances.size === 0) this.models.delete(modelName);
  }

  loraSamples(): ComputedSample[] {
    return loraSamples(this.loras);
  }

  cacheConfigSamples(): ComputedSample[] {
    const engines = [...this.models.values()].flatMap((model) => [...model.engines.values()]);
    return cacheConfigSamples(
      engines.map((engine) => engine.cacheConfig).filter((labels) => labels !== undefined),
    );
  }
}

/** What the instances on one registry share beside the figures, whichever loaded copy of the package made them. */

import type { ComputedSample } from '../../prom/registered-family.js';
import type { Profile } from '../profile.js';
import { cacheConfigSamples } from './cache-config.js';
import { type LoraTracker, loraSamples } from './lora.js';
import { type ModelInstance, ServedModel } from './served-model.js';

export class RegistryModels {
  readonly models: Map<string, ServedModel> = new Map();
  readonly loras: Set<LoraTracker> = new Set();

  /** @throws {Error} if the model is there with another profile: half its series would be on no page. */
  assertProfile(modelName: string, profile: Profile): void {
    const known = this.models.get(modelName)?.profile;
    if (known !== undefined && known !== profile)
      throw new Error(
        `profile: expected ${known}, as the model ${modelName} has it on this registry, got ${profile}`,
      );
  }

  /** Gets or makes the state of a model and adds `instance` to those that serve it. */
  join(modelName: string, instance: ModelInstance, profile: Profile): ServedModel {
    let model = this.models.get(modelName);
    if (model === undefined) {
      model = new ServedModel(modelName, profile);
      this.models.set(modelName, model);
    }
    model.instances.add(instance);
    return model;
  }

  /** Takes `instance` from a model's; series and cache configurations leave with the last one. */
  leave(model: ServedModel, instance: ModelInstance): void {
    if (model.leave(instance)) this.models.delete(model.name);
  }

  loraSamples(): ComputedSample[] {
    return loraSamples(this.loras);
  }

  cacheConfigSamples(): ComputedSample[] {
    const engines = [...this.models.values()].flatMap((model) => [...model.engines.values()]);
    return cacheConfigSamples(engines);
  }
}

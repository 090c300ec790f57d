/** What the page must show of instances that come, go and share engines: plain sets and numbers, no handles. */

/** One engine of one model, as the registry knows it. */
export class ModelEngine {
  removed = false;
  sleep = 'awake';
  cacheConfig: string | undefined;
  running = 0;
  stopped = 0;
  aborted = 0;
  /** Instances that know it, and how many requests each has live. */
  readonly inFlight: Map<object, number> = new Map();

  revive(): void {
    if (!this.removed) return;
    this.removed = false;
    this.running = 0;
    this.sleep = 'awake';
  }

  get live(): number {
    return [...this.inFlight.values()].reduce((sum, n) => sum + n, 0);
  }
}

/** A request that is live, where the model counts it. */
export interface ModelRequest {
  readonly instance: ModelInstance;
  readonly engine: ModelEngine | undefined;
  readonly loraName: string;
  running: boolean;
}

export interface ModelInstance {
  readonly model: string;
  disposed: boolean;
}

export class FleetModel {
  readonly engines: Map<string, Map<number, ModelEngine>> = new Map();
  readonly instances: Set<ModelInstance> = new Set();
  readonly requests: Set<ModelRequest> = new Set();

  enginesOf(model: string): Map<number, ModelEngine> {
    if (!this.engines.has(model)) this.engines.set(model, new Map());
    return this.engines.get(model)!;
  }

  /** The engine as an instance gets it; undefined from a disposed one, of which nothing is on the page. */
  engine(instance: ModelInstance, index: number, revive: boolean): ModelEngine | undefined {
    if (instance.disposed) return undefined;
    const engines = this.enginesOf(instance.model);
    const engine = engines.get(index) ?? new ModelEngine();
    engines.set(index, engine);
    if (!engine.inFlight.has(instance)) engine.inFlight.set(instance, 0);
    if (revive) engine.revive();
    return engine;
  }

  create(model: string, engines: readonly number[] | undefined): ModelInstance {
    const instance = { model, disposed: false };
    this.instances.add(instance);
    for (const index of engines ?? this.enginesOf(model).keys())
      this.engine(instance, index, engines !== undefined);
    return instance;
  }

  dispose(instance: ModelInstance): void {
    if (instance.disposed) return;
    instance.disposed = true;
    this.instances.delete(instance);
    for (const engine of this.enginesOf(instance.model).values()) engine.inFlight.delete(instance);
    // What they knew is the model's, until the last of its instances leaves.
    const isServed = [...this.instances].some(({ model }) => model === instance.model);
    if (!isServed) this.engines.delete(instance.model);
  }

  remove(instance: ModelInstance, index: number): void {
    const engine = instance.disposed ? undefined : this.enginesOf(instance.model).get(index);
    if (engine === undefined) return;
    engine.removed = true;
    engine.cacheConfig = undefined;
  }

  reset(): void {
    for (const engines of this.engines.values()) {
      for (const engine of engines.values()) Object.assign(engine, { stopped: 0, aborted: 0, running: 0 });
    }
  }

  /** The samples that say all of it, and only those that are on the page. */
  page(): Map<string, number> {
    const page = new Map<string, number>();
    for (const [model, engines] of this.engines) {
      for (const [index, engine] of engines) {
        for (const [key, value] of engineSamples(engine, `engine="${index}"`, `model_name="${model}"`))
          page.set(key, value);
      }
    }
    const lora = this.#lora();
    if (lora !== undefined) page.set(lora, 1);
    return page;
  }

  #lora(): string | undefined {
    const live = [...this.requests].filter(({ instance, loraName }) => !instance.disposed && loraName !== '');
    if (live.length === 0) return undefined;
    const names = (running: boolean) =>
      [...new Set(live.filter((request) => request.running === running).map(({ loraName }) => loraName))]
        .sort()
        .join(',');
    return `vllm:lora_requests_info{running_lora_adapters="${names(true)}",waiting_lora_adapters="${names(false)}"}`;
  }
}

function engineSamples(engine: ModelEngine, index: string, model: string): [string, number][] {
  const samples: [string, number][] = [
    [`vllm:request_success_total{${index},finished_reason="stop",${model}}`, engine.stopped],
    [`vllm:request_success_total{${index},finished_reason="abort",${model}}`, engine.aborted],
  ];
  if (engine.live > 0 || !engine.removed)
    samples.push([`rx_engine_metrics_requests_in_flight{${index},${model}}`, engine.live]);
  if (engine.removed) return samples;
  samples.push([`vllm:num_requests_running{${index},${model}}`, engine.running]);
  for (const state of ['awake', 'weights_offloaded', 'discard_all'])
    samples.push([
      `vllm:engine_sleep_state{${index},${model},sleep_state="${state}"}`,
      Number(state === engine.sleep),
    ]);
  if (engine.cacheConfig !== undefined)
    samples.push([`vllm:cache_config_info{block_size="${engine.cacheConfig}",${index}}`, 1]);
  return samples;
}

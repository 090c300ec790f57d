import { Registry } from 'prom-client';
import { readSamples } from '../../../src/testing/index.js';
import { type LiveRequest, Rig } from '../../support/rig.js';
import { FleetModel, type ModelInstance, type ModelRequest } from './fleet-model.js';

/** The real instances and requests beside their models. */
export class Fleet {
  readonly registry: Registry = new Registry();
  readonly model: FleetModel = new FleetModel();
  readonly instances: [Rig, ModelInstance][] = [];
  readonly live: [LiveRequest, ModelRequest][] = [];

  /** Picks one of a list that may be empty. */
  pick<T>(list: readonly T[], at: number): T | undefined {
    return list.length === 0 ? undefined : list[at % list.length];
  }

  create(modelName: string, engines: readonly number[] | undefined): void {
    const rig = new Rig({ registry: this.registry, modelName, ...(engines && { engines }) });
    this.instances.push([rig, this.model.create(modelName, engines)]);
  }

  start([rig, instance]: [Rig, ModelInstance], engineIndex: number, loraName: string): void {
    const live = rig.request({ engineIndex, ...(loraName !== '' && { loraName }) });
    const engine = this.model.engine(instance, engineIndex, true);
    if (engine !== undefined) engine.inFlight.set(instance, engine.inFlight.get(instance)! + 1);
    const request = { instance, engine, loraName, running: false };
    this.model.requests.add(request);
    this.live.push([live, request]);
  }

  end([live, request]: [LiveRequest, ModelRequest], stop: boolean): void {
    if (stop) live.finish();
    else live.abort();
    this.live.splice(
      this.live.findIndex(([, other]) => other === request),
      1,
    );
    this.model.requests.delete(request);
    const { instance, engine } = request;
    if (instance.disposed || engine === undefined) return;
    engine.inFlight.set(instance, engine.inFlight.get(instance)! - 1);
    engine[stop ? 'stopped' : 'aborted']++;
  }

  /** The page, as far as the model speaks of it. */
  async page(): Promise<Map<string, number>> {
    const spoken =
      /^(vllm:(num_requests_running|engine_sleep_state|cache_config|lora)|rx_engine_metrics_requests)/;
    const samples = await readSamples(this.registry);
    const own = [...samples].filter(([key]) => spoken.test(key) || /success.*"(stop|abort)"/.test(key));
    return new Map(own.map(([key, value]) => [key, key.includes('lora') ? 1 : value]));
  }
}

/** LoRA adapters on the page, and requests that move between them. */
import type { EngineCoreEventType } from '../../../../src/index.js';
import type { LiveRequest, Rig } from '../../../support/rig.js';

export const LORA = 'vllm:lora_requests_info';

/** Waiting and running adapters on the page; undefined without a series. */
export async function adapters(rig: Rig): Promise<[waiting: string, running: string] | undefined> {
  const [key] = Object.keys(await rig.family(LORA));
  if (key === undefined) return undefined;
  const [, running, waiting] = /running_lora_adapters="([^"]*)",waiting_lora_adapters="([^"]*)"/.exec(key)!;
  return [waiting!, running!];
}

/** Events of the engine, in an output without tokens. */
export function event(live: LiveRequest, ...types: EngineCoreEventType[]): LiveRequest {
  return live.output(0, { events: types.map((type, i) => ({ type, timestamp: i })) });
}

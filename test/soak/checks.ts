/** Looks at the page while the world goes on, and when it stands still. */
import { renderMetrics } from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';
import { valuesOn } from '../support/read-page.js';
import { auditIdentities, auditModel, expectedAdapters } from './audit.js';
import type { World } from './world/world.js';

/** Two overlapping scrapes of the text, with traffic between. */
export async function scrape(world: World): Promise<void> {
  const pages = [renderMetrics(world.registry), renderMetrics(world.registry)];
  world.turn();
  for (const page of await Promise.all(pages)) {
    world.ledger.scrapes++;
    if (!page.endsWith('\n') || !page.includes('vllm:request_success_total{'))
      world.ledger.problem(`a page of ${page.length} characters without our series`);
    if (/ NaN$| \+Inf$/m.test(page)) world.ledger.problem('a page with a figure that is none');
  }
}

/** Every figure of every model, with requests under way. */
export async function audit(world: World): Promise<ReadonlyMap<string, number>> {
  const { frontends, ledger } = world;
  const samples = await readSamples(world.registry);
  ledger.checks++;
  for (const frontend of frontends)
    for (const text of auditModel(frontend.instances, samples)) ledger.problem(text);
  const adapters = expectedAdapters(frontends);
  const found = [...samples.keys()].filter((key) => key.startsWith('vllm:lora_requests_info{'));
  if (found.join() !== (adapters ?? ''))
    ledger.problem(`adapters: found ${found.join()}, expected ${adapters}`);
  return samples;
}

/** The same with nothing under way, where the identities hold, and the page's text says the same. */
export async function auditAtRest(world: World): Promise<void> {
  const { frontends, ledger } = world;
  const samples = await audit(world);
  for (const { name, counts, instances, metrics } of frontends) {
    if (metrics.inFlight !== 0) ledger.problem(`${name}: ${metrics.inFlight} in flight, expected none`);
    // Requests that were under way when an instance was disposed have tokens on the page, but no end.
    if (instances.reload !== 'overlap')
      for (const text of auditIdentities(name, counts, samples)) ledger.problem(text);
  }
  const page = valuesOn(await renderMetrics(world.registry));
  for (const [key, value] of samples)
    if (page.get(key) !== value)
      ledger.problem(`page: ${key} is ${page.get(key)}, the registry says ${value}`);
  if (page.size !== samples.size)
    ledger.problem(`page: ${page.size} samples, the registry has ${samples.size}`);
  if (ledger.outputsReceived !== ledger.outputsSent)
    ledger.problem(`outputs: ${ledger.outputsReceived} arrived, ${ledger.outputsSent} were sent`);
  if (ledger.aborts !== ledger.left)
    ledger.problem(`aborts: ${ledger.aborts} told, ${ledger.left} clients left`);
}

/** A model that leaves takes all its series along, and can come again. */
export async function dropAndReturn(world: World): Promise<void> {
  const frontend = world.frontends.find(({ instances }) => instances.reload === 'drop')!;
  frontend.instances.dispose();
  for (const key of (await readSamples(world.registry)).keys())
    if (key.includes(`model_name="${frontend.name}"`))
      world.ledger.problem(`${key}: of a model that has left`);
  world.ledger.fault('model dropped');
  frontend.replace();
}

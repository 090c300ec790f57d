/** The run: traffic, scrapes, and a look at everything, again and again. */
import type { OutputRouter } from '../../src/index.js';
import { audit, auditAtRest, dropAndReturn, scrape } from './checks.js';
import { Heap } from './heap.js';
import type { Ledger } from './ledger.js';
import type { SoakOptions } from './options.js';
import { simulatorPart } from './simulator-part.js';
import { World } from './world/world.js';

const TURNS_PER_SCRAPE = 100;
const SCRAPES_PER_AUDIT = 20;
const RESTS = 50;
const LEAST_BETWEEN_RESTS = 10_000;
/** As many as a slow machine serves: how a run that is bounded by time is divided. */
const REQUESTS_PER_SECOND = 5_000;

export interface SoakResult {
  readonly ledger: Ledger;
  readonly heap: Heap;
  readonly seconds: number;
  readonly simulated: number;
}

/** Ids whose abort nobody answers: as many as are remembered at most, so that their table has the size it keeps. */
function fillAbortedIds(router: OutputRouter): void {
  for (let i = 0; i < 65_536; i++) router.open(`warm-up-${i}`, 0).subscribe().unsubscribe();
}

export async function soak(options: SoakOptions, tell: (line: string) => void): Promise<SoakResult> {
  const began = performance.now();
  const secondsSoFar = (): number => (performance.now() - began) / 1000;
  const world = new World(options.seed);
  const { ledger } = world;
  const heap = new Heap();
  const planned = Math.min(options.requests, options.seconds * REQUESTS_PER_SECOND);
  const simulated = Math.min(100_000, Math.ceil(planned / 100));
  await simulatorPart(simulated, options.seed, ledger);
  fillAbortedIds(world.frontends[0]!.router);
  const between = Math.max(LEAST_BETWEEN_RESTS, Math.min(200_000, Math.ceil(planned / RESTS)));
  while (
    ledger.started < options.requests &&
    secondsSoFar() < options.seconds &&
    ledger.problems.length === 0
  ) {
    await traffic(world, Math.min(options.requests, ledger.started + between));
    await rest(world, heap);
    tell(
      `${ledger.started} requests, ${(heap.last / 2 ** 20).toFixed(2)} MB, ${secondsSoFar().toFixed(0)} s`,
    );
  }
  await end(world);
  return { ledger, heap, seconds: secondsSoFar(), simulated };
}

/** Everybody ends, and everything is looked at. */
async function rest(world: World, heap: Heap): Promise<void> {
  world.drain();
  await auditAtRest(world);
  await dropAndReturn(world);
  heap.measure(world.ledger.started);
}

/** Requests come until so many were there. */
async function traffic(world: World, until: number): Promise<void> {
  const { ledger } = world;
  for (let turn = 1; ledger.started < until; turn++) {
    world.turn();
    if (turn % TURNS_PER_SCRAPE === 0) await scrape(world);
    if (turn % (TURNS_PER_SCRAPE * SCRAPES_PER_AUDIT) === 0) await audit(world);
  }
}

/** All models leave: nothing stays on the registry, and every request is accounted for. */
async function end(world: World): Promise<void> {
  const { ledger, registry, frontends } = world;
  for (const frontend of frontends) frontend.instances.dispose();
  const left = await registry.getMetricsAsJSON();
  if (left.length > 0) ledger.problem(`${left.length} metrics stay on the registry`);
  const missing = ledger.started - ledger.recorded - ledger.disposed;
  if (missing !== 0) ledger.problem(`${missing} requests without a record`);
}

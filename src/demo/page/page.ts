/**
 * The live page. Every two seconds it reads `/metrics`, as any Prometheus server does, and draws what has moved since;
 * the server's events bring what is no metric: which engines there are, the load, the requests that have just ended.
 */
import { PreemptionBars, ReasonBar } from './bars.js';
import { PREEMPTIONS, ScrapeWindow, scrapeOf, TIME_TO_FIRST_TOKEN } from './data/scrape.js';
import { byId, write } from './draw/dom.js';
import { HeatMap } from './draw/heat-map.js';
import { EngineTable } from './engine-table.js';
import { FinishedTable } from './finished-table.js';
import { addEngine, listen } from './fleet-client.js';
import { LatencyCharts } from './latency-charts.js';
import { LoadControls } from './load-controls.js';
import { PlayBox } from './play-box.js';
import { Tiles } from './tiles.js';

const EVERY_MS = 2000;
const WINDOW_SECONDS = 30;

const window30 = new ScrapeWindow(WINDOW_SECONDS);
const tiles = new Tiles();
const reasons = new ReasonBar();
const charts = new LatencyCharts();
const heatMap = new HeatMap(byId<HTMLCanvasElement>('heat-map'));
const preemptions = new PreemptionBars();
const engines = new EngineTable();
const finished = new FinishedTable();
const controls = new LoadControls();
new PlayBox();

async function look(): Promise<void> {
  const response = await fetch('/metrics');
  const scrape = scrapeOf(await response.text(), Date.now() / 1000);
  window30.add(scrape);
  tiles.update(scrape, window30);
  reasons.update(scrape.exposition);
  charts.update(scrape.time, window30);
  heatMap.add(window30.latest(TIME_TO_FIRST_TOKEN));
  preemptions.update(scrape.histograms.get(PREEMPTIONS)!);
  engines.rates(scrape.time, window30.ratesBy('vllm:generation_tokens_total', 'engine'));
}

/** Looks, and again after a while; a server that is away is asked again. A hidden page rests. */
async function keepLooking(): Promise<void> {
  try {
    if (!document.hidden) await look();
  } catch {
    write(byId('connection'), 'no answer from /metrics');
  }
  setTimeout(() => void keepLooking(), EVERY_MS);
}

listen({
  fleet: (status) => {
    engines.update(status.engines);
    document.body.classList.toggle('fixed-fleet', !status.canChange);
    controls.update(status.load);
  },
  finished: (requests) => finished.add(requests),
  connected: (isConnected) => {
    const pill = byId('connection');
    pill.classList.toggle('live', isConnected);
    write(pill, isConnected ? 'live' : 'no connection');
  },
});
byId('add-engine').addEventListener('click', () => void addEngine());
void keepLooking();

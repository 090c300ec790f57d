/** Bytes per tick of the stats log with eight engines: allocated, and held afterwards. */
import { Subscription } from 'rxjs';
import { answer, api, metrics } from './load.mjs';
import { allocatedPerTurn, retainedPerTurn } from './measure.mjs';

/** One action at a time; RxJS's VirtualTimeScheduler keeps every action that ever ran. */
class Ticker {
  #now = 0;
  #work;

  now() {
    return this.#now;
  }

  schedule(work, _delay, state) {
    const action = new Subscription();
    action.schedule = (next) => {
      this.#work = () => work.call(action, next);
      return action;
    };
    return action.schedule(state);
  }

  tick() {
    this.#now += 10;
    this.#work();
  }
}

const TICKS = 1000;
const ticker = new Ticker();
let lines = 0;
api.statsLog(metrics, { every: 10, scheduler: ticker, perEngine: true }).subscribe((entry) => {
  lines += entry.lines.length;
});
const handles = Array.from({ length: 8 }, (_, i) => metrics.forEngine(i));

/** Ticks, with traffic on all engines in between. */
function tick(turns) {
  for (let i = 0; i < turns; i++) {
    for (const { generationTokens } of handles) generationTokens.inc(5);
    ticker.tick();
  }
}

const allocated = allocatedPerTurn(tick, TICKS);
const retained = retainedPerTurn(tick, TICKS);
answer({ allocated, retained, lines });

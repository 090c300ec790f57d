/** Bytes held per ended request: with their Subscriptions kept, and without. */
import { answer, api, FIRST, LAST, metrics, Push, REQUEST } from './load.mjs';
import { retainedPerTurn } from './measure.mjs';

const REQUESTS = 8_000;

/** Runs one request to its end and gives its Subscription. */
function run(end) {
  const source = new Push();
  const subscription = source.pipe(api.withRequestMetrics(metrics, REQUEST)).subscribe(() => {});
  source.subscriber.next(FIRST);
  end(source.subscriber, subscription);
  return subscription;
}

const finish = (subscriber) => {
  subscriber.next(LAST);
  subscriber.complete();
};
/** The stream stays open after its last output: only there its Subscription still leads to our subscriber. */
const stayOpen = (subscriber) => subscriber.next(LAST);
const abort = (_, subscription) => subscription.unsubscribe();

function kept(end) {
  return retainedPerTurn((turns) => Array.from({ length: turns }, () => run(end)), REQUESTS);
}

answer({
  finish: kept(finish),
  abort: kept(abort),
  open: kept(stayOpen),
  dropped: retainedPerTurn((turns) => {
    for (let i = 0; i < turns; i++) run(i % 2 === 0 ? finish : abort);
  }, 4 * REQUESTS),
  inFlight: metrics.inFlight,
});

/** Bytes held per ended request: with their Subscriptions kept, against `tap(noop)`, and without. */
import { noop, tap } from 'rxjs';
import { answer, api, FIRST, LAST, metrics, Push, REQUEST } from './load.mjs';
import { retainedPerTurn } from './measure.mjs';

const REQUESTS = 8_000;

/** Runs one request to its end and gives its Subscription. */
function run(operator, end) {
  const source = new Push();
  const subscription = source.pipe(operator()).subscribe(() => {});
  source.subscriber.next(FIRST);
  end(source.subscriber, subscription);
  return subscription;
}

const ours = () => api.withRequestMetrics(metrics, REQUEST);
const plain = () => tap(noop);

const finish = (subscriber) => {
  subscriber.next(LAST);
  subscriber.complete();
};
/** The stream stays open after its last output: only there its Subscription still leads to our subscriber. */
const stayOpen = (subscriber) => subscriber.next(LAST);
const abort = (_, subscription) => subscription.unsubscribe();

function kept(operator, end) {
  return retainedPerTurn((turns) => Array.from({ length: turns }, () => run(operator, end)), REQUESTS);
}

answer({
  finish: [kept(ours, finish), kept(plain, finish)],
  abort: [kept(ours, abort), kept(plain, abort)],
  open: kept(ours, stayOpen),
  dropped: retainedPerTurn((turns) => {
    for (let i = 0; i < turns; i++) run(ours, i % 2 === 0 ? finish : abort);
  }, 4 * REQUESTS),
  inFlight: metrics.inFlight,
});

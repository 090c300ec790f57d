/** What can be collected while a consumer still holds its Subscription, and after `dispose`. */
import { EMPTY, take } from 'rxjs';
import { answer, api, FIRST, folder, LAST, metrics, Push, REQUEST, registry } from './load.mjs';

const { RequestRecorder } = await import(new URL('serving/request/request-recorder.js', folder));

/** Each recorder that settles, weakly. */
const settled = [];
const { settle } = RequestRecorder.prototype;
RequestRecorder.prototype.settle = function (reason) {
  if (!settled.some((ref) => ref.deref() === this)) settled.push(new WeakRef(this));
  return settle.call(this, reason);
};

const ENDINGS = {
  finish: (subscriber) => subscriber.next(LAST),
  complete: (subscriber) => subscriber.complete(),
  error: (subscriber) => subscriber.error(new Error('e')),
  unsubscribe: (_, subscription) => subscription.unsubscribe(),
  take: (subscriber) => subscriber.next(FIRST),
};

/** Held to the end: what a consumer may keep. */
const held = [];

function run(name) {
  const source = new Push();
  const recorded = source.pipe(api.withRequestMetrics(metrics, REQUEST));
  const stream = name === 'take' ? recorded.pipe(take(2)) : recorded;
  const subscription = stream.subscribe({ error() {} });
  held.push(source, subscription, source.subscriber);
  source.subscriber.next(FIRST);
  ENDINGS[name](source.subscriber, subscription);
}

async function collected(refs) {
  // Over several turns: a WeakRef that was read lives to the end of its turn, a stack slot may hold one for longer.
  for (let turn = 0; turn < 5; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    globalThis.gc();
  }
  return refs.filter((ref) => ref.deref() === undefined).length;
}

const recorders = {};
for (const name of Object.keys(ENDINGS)) {
  settled.length = 0;
  for (let i = 0; i < 50; i++) run(name);
  recorders[name] = [settled.length, await collected(settled)];
}

/** A model of its own, disposed of with its live requests left alone; the registry and another model stay. */
function disposed() {
  const other = new api.ServingMetrics({ registry, modelName: 'other', engines: [0, 1], maxLora: 4 });
  EMPTY.pipe(api.withSchedulerMetrics(other)).subscribe();
  EMPTY.pipe(api.withRequestMetrics(other, { ...REQUEST, loraName: 'a' })).subscribe();
  other.setCacheConfig(0, { a: 1 });
  other.finishedRequests.subscribe();
  other.removeEngine(1);
  const refs = [new WeakRef(other), new WeakRef(other.core), new WeakRef(other.forEngine(0))];
  other.dispose();
  return refs;
}
await api.renderMetrics(registry);
const refs = disposed();
await api.renderMetrics(registry);

answer({ recorders, disposed: [refs.length, await collected(refs)], held: held.length });

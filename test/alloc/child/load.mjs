/** The compiled package whose folder is the first argument, and a registry with metrics on it. */
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Registry } from 'prom-client';
import { Observable } from 'rxjs';

export const folder = pathToFileURL(`${process.argv[2]}/`);
export const api = await import(new URL('index.js', folder));
export const testing = await import(new URL('testing/index.js', folder));
export const require = createRequire(folder);

export const registry = new Registry();
export const metrics = new api.ServingMetrics({ registry, modelName: 'm', engines: [0] });

/** A source that allocates nothing itself: what is pushed goes straight to its one subscriber. */
export class Push extends Observable {
  subscriber;
  constructor() {
    super((subscriber) => {
      this.subscriber = subscriber;
    });
  }
}

export const REQUEST = { numPromptTokens: 8, engineIndex: 0, maxTokens: 100 };
const EVENTS = [
  { type: 'queued', timestamp: 1 },
  { type: 'scheduled', timestamp: 2 },
];
export const FIRST = testing.engineOutput(1, { timestamp: 3, events: EVENTS });
export const LAST = testing.engineOutput(1, { timestamp: 4, finishReason: 'stop' });

/** What the parent reads. */
export function answer(figures) {
  console.log(JSON.stringify(figures));
}

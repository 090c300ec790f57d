/**
 * What the live page asks for beside `/metrics`. All bodies are JSON; errors are OpenAI's error objects.
 *
 * - `GET /api/events`: server-sent events. `fleet`, at once and then each second: {@link FleetStatus}. `finished`, at
 *   once and then with those that have ended since: a list of `FinishedRequestStats`, the oldest first.
 * - `GET /api/fleet`: {@link FleetStatus} once.
 * - `POST /api/engines`: adds an engine; 201 `{"engineIndex": 2}`, 409 if there are 64.
 * - `POST /api/engines/2/remove`: lets it finish what it has, then it is gone; a dead one is at once.
 * - `POST /api/engines/2/kill`: its requests end as errors. 409 if it is dead.
 * - `POST /api/engines/2/restart`: 409 if it is not dead.
 *   These three answer with {@link EngineStatus}, or `{}` for an engine that is gone, and 404 for one that is unknown.
 * - `POST /api/load` `{"rate": 5.5, "abortRate": 0.05}`, either may be left out: answers with {@link LoadStatus}.
 */

import type { Context, Hono } from 'hono';
import { mergeMap, type Observable, timer } from 'rxjs';
import { EngineStateError } from '../fleet/fleet.js';
import type { EngineStatus, FleetStatus, LoadStatus } from '../fleet/fleet-status.js';
import { ApiError } from './api-error.js';
import { eventStream, only, type ServerEvent } from './http.js';
import { JsonBody } from './json-body.js';
import type { LiveServing } from './live-serving.js';
import { MOST_RATE, type TraceLoad } from './trace-load.js';

const EVERY_MS = 1000;

export function controlRoutes(app: Hono, serving: LiveServing, load: TraceLoad): void {
  const loadStatus = (): LoadStatus => ({ rate: load.rate, abortRate: serving.clients.abortRate });
  const fleetStatus = (): FleetStatus => ({
    canChange: serving.fleet.canChange,
    engines: enginesOf(serving),
    load: loadStatus(),
  });
  only(app, 'GET', '/api/fleet', (c) => c.json(fleetStatus()));
  only(app, 'GET', '/api/events', () => eventStream(eventsOf(serving, fleetStatus), { dropsWhenSlow: true }));
  only(app, 'POST', '/api/engines', async (c) => {
    await JsonBody.of(c.req.raw);
    return c.json({ engineIndex: changed(() => serving.addEngine()) }, 201);
  });
  engineRoute(app, serving, 'remove', (index) => serving.fleet.remove(index));
  engineRoute(app, serving, 'kill', (index) => serving.fleet.kill(index));
  engineRoute(app, serving, 'restart', (index) => serving.fleet.restart(index));
  only(app, 'POST', '/api/load', async (c) => {
    const body = await JsonBody.of(c.req.raw);
    const rate = body.number('rate', 0, MOST_RATE) ?? load.rate;
    const abortRate = body.number('abortRate', 0, 1) ?? serving.clients.abortRate;
    load.rate = rate;
    serving.clients.abortRate = abortRate;
    return c.json(loadStatus());
  });
}

function engineRoute(app: Hono, serving: LiveServing, name: string, change: (index: number) => void): void {
  only(app, 'POST', `/api/engines/:index/${name}`, async (c) => {
    await JsonBody.of(c.req.raw);
    const index = indexOf(c, serving);
    changed(() => change(index));
    return c.json(enginesOf(serving).find(({ engineIndex }) => engineIndex === index) ?? {});
  });
}

function indexOf(c: Context, { fleet }: LiveServing): number {
  const index = Number(c.req.param('index'));
  if (fleet.indexes.includes(index)) return index;
  throw new ApiError(404, `engine: expected one of ${fleet.indexes.join(', ')}, got ${c.req.param('index')}`);
}

/** @throws {ApiError} 409 if an engine is not in a state for it. */
function changed<T>(change: () => T): T {
  try {
    return change();
  } catch (error) {
    throw error instanceof EngineStateError ? new ApiError(409, error.message) : error;
  }
}

function enginesOf({ fleet }: LiveServing): EngineStatus[] {
  return fleet.indexes.map((engineIndex) => fleet.statusOf(engineIndex));
}

function eventsOf({ finished }: LiveServing, fleetStatus: () => FleetStatus): Observable<ServerEvent> {
  let seen = 0;
  return timer(0, EVERY_MS).pipe(
    mergeMap(() => {
      const requests = finished.since(seen);
      seen = finished.count;
      return [event('fleet', fleetStatus()), ...(requests.length > 0 ? [event('finished', requests)] : [])];
    }),
  );
}

function event(name: string, data: unknown): ServerEvent {
  return { name, data: JSON.stringify(data) };
}

/** What the page asks of the server beside `/metrics`: the event stream, and the routes under `/api`. */

import type { FleetStatus, LoadStatus } from '../fleet/fleet-status.js';

/** As `finishedRequests` gives it: seconds, tokens. */
export interface FinishedRequest {
  readonly engineIndex: number;
  readonly finishReason: string;
  readonly numPromptTokens: number;
  readonly numGenerationTokens: number;
  readonly numPreemptions: number;
  readonly timeToFirstToken?: number;
  readonly e2eLatency: number;
  readonly queuedTime: number;
  readonly prefillTime: number;
  readonly decodeTime: number;
}

export interface FleetListener {
  fleet(status: FleetStatus): void;
  finished(requests: readonly FinishedRequest[]): void;
  connected(isConnected: boolean): void;
}

/** Listens to the server's events until the page is left; the browser connects again by itself. */
export function listen(listener: FleetListener): void {
  const events = new EventSource('/api/events');
  events.addEventListener('open', () => listener.connected(true));
  events.addEventListener('error', () => listener.connected(false));
  events.addEventListener('fleet', ({ data }) => listener.fleet(JSON.parse(data) as FleetStatus));
  events.addEventListener('finished', ({ data }) => listener.finished(JSON.parse(data) as FinishedRequest[]));
}

async function post(path: string, body: object = {}): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  await fetch(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export function addEngine(): Promise<void> {
  return post('/api/engines');
}

export function changeEngine(engineIndex: number, change: 'kill' | 'restart' | 'remove'): Promise<void> {
  return post(`/api/engines/${engineIndex}/${change}`);
}

export function setLoad(load: Partial<LoadStatus>): Promise<void> {
  return post('/api/load', load);
}

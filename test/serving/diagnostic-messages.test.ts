/** What diagnostics say: what was expected, and what was recorded instead. */
import { describe, expect, it } from 'vitest';
import type { SchedulerStats } from '../../src/index.js';
import { Rig } from '../support/rig.js';
import { provokeAll } from './provocations.js';

/** Of {@link provokeAll}: those that say what their source does not. */
const MESSAGES = [
  'arrivalTimeMs: expected a time in ms, took it as absent',
  'cacheConfig: expected a label name and a value that Python prints, left it out',
  'engineIndex: expected a whole number of at least 0, ignored the step',
  'events: expected an array, ignored it',
  'events: expected an event, ignored it',
  'finishReason: expected a finish reason, took error',
  'interTokenLatencySeconds: expected an interval of at least 0 s, took 0',
  'kvCacheUsage: expected a share of 0 to 1, took 1',
  'loraName: expected a non-empty string, took it as absent',
  'maxTokens: expected a whole number, took it as absent',
  'mmCacheStats.hits: expected a count, took 0',
  'mmCacheStats.queries: expected a count, took 0',
  'n: expected a whole number of at least 1, took it as absent',
  'newTokenIds: expected an array, counted no token',
  'numNansInLogits: expected a count, took 0',
  'numRunningReqs: expected a count, kept the last one',
  'outputs: expected an array, ignored it',
  'parent: expected a ParallelSampling, took it as absent',
  'perfStats: expected an object, ignored it',
  'prefillStats: expected an object, ignored it',
  'prefillStats: expected parts that add up to numPromptTokens, took the total alone',
  'prefixCacheStats.hits: expected a count, added 0',
  'requestId: expected a non-empty string, took it as absent',
  'schedulerStats: expected an object, ignored it',
  'sleepState: expected one of awake, weights_offloaded, discard_all, ignored it',
  'unsubscribeReason: expected a finish reason, took abort',
  'unsubscribeReason: expected a function, took it as absent',
];

function messagesOf(provoke: (rig: Rig) => void): string[] {
  const rig = new Rig();
  provoke(rig);
  return rig.diagnostics.map(({ source, message }) => `${source}: ${message}`);
}

const stats = (partial: object) => (rig: Rig) => rig.stats(partial as SchedulerStats);

const ROWS: readonly (readonly [message: string, provoke: (rig: Rig) => void])[] = [
  [
    'arrivalTimeMs: expected a time that has passed, took now',
    (rig) => rig.request({ arrivalTimeMs: rig.nowMs + 1 }),
  ],
  [
    'interTokenLatencySeconds: expected a timestamp in seconds, took 0 s',
    (rig) => rig.request().output(1, { timestamp: Number.NaN }),
  ],
  ['kvCacheUsage: expected a share of 0 to 1, took 0', stats({ kvCacheUsage: -1 })],
  ['kvCacheUsage: expected a share of 0 to 1, kept the last one', stats({ kvCacheUsage: Number.NaN })],
  ['kvCacheEvictionEvents: expected an array, ignored it', stats({ kvCacheEvictionEvents: 5 })],
  ['kvCacheEvictionEvents: expected an object, ignored it', stats({ kvCacheEvictionEvents: [5] })],
  [
    'schedulerStats: expected camelCase fields such as numRunningReqs, found none of them',
    stats({ num_running_reqs: 1 }),
  ],
  ['cacheConfig: expected an object, ignored it', (rig) => rig.metrics.setCacheConfig(0, 5 as never)],
  [
    'engineIndex: expected a whole number of at least 0, ignored the call',
    (rig) => rig.metrics.setSleepState(-1, 'awake'),
  ],
];

describe('a diagnostic', () => {
  it('of any source says what was expected and what was taken', () => {
    const messages = messagesOf(provokeAll);
    expect(MESSAGES.filter((message) => !messages.includes(message))).toEqual([]);
  });

  it.each(ROWS)('says "%s"', (message, provoke) => {
    expect(messagesOf(provoke)).toContain(message);
  });

  it('of positions, tiers and operations beyond the known says where they went', () => {
    const positions = Array.from({ length: 257 }, () => 1);
    const messages = messagesOf((rig) => {
      stats({ specDecodingStats: { numAcceptedTokensPerPos: positions } })(rig);
      stats({ connectorPrefixCacheStats: { hitsBySource: { tape: 1 } } })(rig);
      stats({ kvConnectorStats: { fly: [{ durationSeconds: 1 }] } })(rig);
    });
    expect(messages.map((message) => message.replace(/^[^:]*: /, ''))).toEqual([
      'expected at most 256 positions, ignored the rest',
      'expected a known cache tier, counted it under other',
      expect.stringMatching(/^expected one of \w+(, \w+)+, counted it under other$/),
    ]);
  });
});

it('a diagnostic names engine and request where there are such', () => {
  const rig = new Rig();
  rig.request({ requestId: 'a' }).output(1, { timestamp: Number.NaN });
  rig.request().output(1, { timestamp: Number.NaN });
  rig.hostile({ engineIndex: -1 });
  expect(rig.diagnostics.map((diagnostic) => Object.keys(diagnostic).slice(3))).toEqual([
    ['engineIndex', 'requestId'],
    ['engineIndex'],
    [],
  ]);
  expect(rig.diagnostics[0]).toMatchObject({ engineIndex: 0, requestId: 'a' });
});

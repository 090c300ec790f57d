/** Events, arguments and ids that are almost what they should be. */
import { Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type EngineCoreStreamOutput,
  type ParallelSampling,
  type RequestInfo,
  withRequestMetrics,
} from '../../../src/index.js';
import { Rig } from '../../support/rig.js';
import { watched } from '../../support/watched.js';

const EVENT_TIME = { source: 'events.timestamp', message: 'expected seconds, took it as missing' };

it.each<[type: unknown, timestamp: unknown, said: object[]]>([
  ['queued', 0, []],
  ['queued', undefined, []],
  ['scheduled', null, []],
  ['queued', 'x', [{ ...EVENT_TIME, value: 'x' }]],
  ['scheduled', Number.NaN, [{ ...EVENT_TIME, value: Number.NaN }]],
  ['queued', Infinity, [{ ...EVENT_TIME, value: Infinity }]],
  ['queued', 1n, [{ ...EVENT_TIME, value: 1n }]],
  [
    'finished',
    1,
    [{ source: 'type', message: 'expected queued, scheduled or preempted, ignored it', value: 'finished' }],
  ],
])('an event %s at %s', (type, timestamp, said) => {
  const rig = new Rig();
  rig.request().output(0, { events: [{ type, timestamp }] as never });
  expect(rig.diagnostics).toMatchObject(said);
  expect(rig.diagnostics).toHaveLength(said.length);
});

it('a null among events costs none of the others', () => {
  const rig = new Rig();
  const records = watched(rig);
  const preempted = { type: 'preempted', timestamp: 1 };
  rig
    .request()
    .output(0, { events: [preempted, null, preempted] as never })
    .abort();
  expect(records).toMatchObject([{ numPreemptions: 2 }]);
  expect(rig.diagnostics).toMatchObject([
    { source: 'events', message: 'expected an event, ignored it', value: null },
  ]);
});

describe('an argument', () => {
  it('that is a function is no parent', () => {
    const rig = new Rig();
    const parent = Object.assign(() => 0, { childEnded: () => 0 }) as unknown as ParallelSampling;
    rig.request({ parent }).finish();
    const message = 'expected a ParallelSampling, took it as absent';
    expect(rig.diagnostics).toMatchObject([{ source: 'parent', message, value: parent }]);
  });

  it('that went bad since the call throws by its name', () => {
    const rig = new Rig();
    const request = { numPromptTokens: 4, engineIndex: 0 } satisfies RequestInfo;
    const operator = withRequestMetrics(rig.metrics, request);
    request.numPromptTokens = -1;
    expect(() => new Subject<EngineCoreStreamOutput>().pipe(operator)).toThrow(
      /^numPromptTokens: expected a whole number of at least 0, got -1$/,
    );
  });

  it('that throws when it is asked why is reported with what it threw', async () => {
    const rig = new Rig();
    const boom = new Error('of the host');
    rig
      .request({
        unsubscribeReason: () => {
          throw boom;
        },
      })
      .abort();
    const message = 'expected a finish reason, took abort';
    expect(rig.diagnostics).toMatchObject([{ source: 'unsubscribeReason', message, value: boom }]);
    expect(await rig.value('vllm:request_success_total', 0, 'finished_reason="abort"')).toBe(1);
  });
});

describe('in mid-generation', () => {
  it.each<[ids: unknown, tokens: number, sources: string[]]>([
    [undefined, 0, ['newTokenIds']],
    [null, 0, ['newTokenIds']],
    [[], 0, []],
    ['xy', 0, ['newTokenIds']],
    [{ length: 2 }, 0, ['newTokenIds']],
    [new Uint32Array(2), 2, []],
    [new (class extends Array<number> {})(2), 2, []],
  ])('ids %j are %d tokens', async (newTokenIds, tokens, sources) => {
    const rig = new Rig();
    const live = rig.request().output(1, { timestamp: 1 });
    live.source.next({ engineIndex: 0, timestamp: 2, output: { newTokenIds } } as never);
    expect(await rig.value('vllm:generation_tokens_total')).toBe(1 + tokens);
    expect(rig.sources()).toEqual(sources);
  });
});

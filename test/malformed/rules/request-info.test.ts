/** The rules for what a request says of itself, one row each. */
import { of } from 'rxjs';
import { expect, it } from 'vitest';
import { type MetricsDiagnostic, type RequestInfo, withRequestMetrics } from '../../../src/index.js';
import { recording } from '../../support/recording.js';
import { type Expected, expectSamples, odd, serve } from './serve.js';

type Row = readonly [field: keyof RequestInfo, value: unknown, expected: Expected, diagnostics: number];

/** The clock stands at 50 s at subscription, 60 s at the first output and the end. */
const rows: readonly Row[] = [
  ['maxTokens', 16, { request_params_max_tokens: [1, 16] }, 0],
  ['maxTokens', 0, { request_params_max_tokens: [1, 0] }, 0],
  ['maxTokens', undefined, { request_params_max_tokens: [0, 0] }, 0],
  ['maxTokens', null, { request_params_max_tokens: [0, 0] }, 0],
  ...[-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '16', 2 ** 53, {}, 5n].map(
    (value): Row => ['maxTokens', value, { request_params_max_tokens: [0, 0] }, 1],
  ),
  ['n', 3, { request_params_n: [1, 3] }, 0],
  ['n', undefined, { request_params_n: [1, 1] }, 0],
  ['n', null, { request_params_n: [1, 1] }, 0],
  ...[0, -1, 1.5, Number.NaN, '3', 2 ** 53, []].map(
    (value): Row => ['n', value, { request_params_n: [1, 1] }, 1],
  ),
  [
    'arrivalTimeMs',
    45_000,
    { time_to_first_token_seconds: [1, 15], e2e_request_latency_seconds: [1, 15] },
    0,
  ],
  ['arrivalTimeMs', 0, { e2e_request_latency_seconds: [1, 60] }, 0],
  ['arrivalTimeMs', null, { e2e_request_latency_seconds: [1, 10] }, 0],
  [
    'arrivalTimeMs',
    50_001,
    { time_to_first_token_seconds: [1, 10], e2e_request_latency_seconds: [1, 10] },
    1,
  ],
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, '45000', new Date(45_000), 5n].map(
    (value): Row => ['arrivalTimeMs', value, { e2e_request_latency_seconds: [1, 10] }, 1],
  ),
  ...['', 7, {}, ['a'], true].map(
    (value): Row => ['loraName', value, { e2e_request_latency_seconds: [1, 10] }, 1],
  ),
  ...['', 7, {}, Symbol('id')].map(
    (value): Row => ['requestId', value, { e2e_request_latency_seconds: [1, 10] }, 1],
  ),
  ...[7, 'parent', {}, () => 1, { n: 2 }].map(
    (value): Row => [
      'parent',
      value,
      { request_params_n: [1, 1], request_max_num_generation_tokens: [1, 1] },
      1,
    ],
  ),
  ...[7, 'stop', {}].map(
    (value): Row => ['unsubscribeReason', value, { e2e_request_latency_seconds: [1, 10] }, 1],
  ),
];

it.each(rows)('takes %s %o by the rules', async (field, value, expected, diagnostics) => {
  const { page, invalid } = await serve([odd({})], { [field]: value });
  expectSamples(page, expected);
  expect(invalid).toEqual(diagnostics === 0 ? {} : { [field]: diagnostics });
  expect(page.success()).toEqual({ abort: 1 });
});

it.each(['requestId', 'arrivalTimeMs', 'maxTokens', 'n', 'loraName', 'parent', 'unsubscribeReason'] as const)(
  'takes a %s that throws when read as absent',
  async (field) => {
    const info = Object.defineProperty({ numPromptTokens: 9, engineIndex: 0 }, field, {
      get: () => {
        throw new Error('a getter');
      },
    });
    const recorded = recording({ engines: [0] });
    of(odd({})).pipe(withRequestMetrics(recorded.metrics, info)).subscribe();
    const page = await recorded.samples();
    expect([page.success(), page.invalidValues()]).toEqual([{ abort: 1 }, { [field]: 1 }]);
  },
);

it('tells whose value was odd, and survives an onDiagnostic that throws', async () => {
  const seen: MetricsDiagnostic[] = [];
  const onDiagnostic = (diagnostic: MetricsDiagnostic) => {
    seen.push(diagnostic);
    throw new Error('boom');
  };
  const { page } = await serve(
    [odd({ finishReason: 'unheard of' })],
    { requestId: 'r', maxTokens: -1 },
    { onDiagnostic },
  );
  expect(seen).toEqual([
    { source: 'maxTokens', message: expect.any(String), value: -1, engineIndex: 0, requestId: 'r' },
    {
      source: 'finishReason',
      message: expect.any(String),
      value: 'unheard of',
      engineIndex: 0,
      requestId: 'r',
    },
  ]);
  expect(page.invalidValues()).toEqual({ maxTokens: 1, finishReason: 1 });
});

/** What `withRequestMetrics` takes of its arguments and of the source's tag. */
import { Registry } from 'prom-client';
import { Observable, Subject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import {
  type EngineCoreStreamOutput,
  type FinishedRequestStats,
  type MetricsDiagnostic,
  type RequestInfo,
  ServingMetrics,
  tagEngine,
  withRequestMetrics,
} from '../../src/index.js';

function made(diagnostics: MetricsDiagnostic[] = []): ServingMetrics {
  const onDiagnostic = (diagnostic: MetricsDiagnostic) => diagnostics.push(diagnostic);
  return new ServingMetrics({ registry: new Registry(), modelName: 'm', onDiagnostic });
}

/** Starts a request on the source and leaves it at once: its record. */
function record(
  source: Observable<EngineCoreStreamOutput>,
  request: RequestInfo,
  metrics: ServingMetrics = made(),
): FinishedRequestStats {
  const records: FinishedRequestStats[] = [];
  metrics.finishedRequests.subscribe((stats) => records.push(stats));
  source.pipe(withRequestMetrics(metrics, request)).subscribe().unsubscribe();
  return records[0]!;
}

class Tagged extends Observable<EngineCoreStreamOutput> {
  readonly engineIndex: unknown = 4;
  readonly requestId: unknown;

  constructor(requestId: unknown) {
    super();
    this.requestId = requestId;
  }
}

const silent = new Subject<EngineCoreStreamOutput>();

describe('withRequestMetrics', () => {
  it('takes engine and id from the tag, unless the request says otherwise', () => {
    const source = silent.pipe(tagEngine(2, 'tagged'));
    expect(record(source, { numPromptTokens: 1 })).toMatchObject({ engineIndex: 2, requestId: 'tagged' });
    const own = { numPromptTokens: 1, engineIndex: 3, requestId: 'own' };
    expect(record(source, own)).toMatchObject({ engineIndex: 3, requestId: 'own' });
  });

  it('takes an engine of null for none, and an id that is no string too', () => {
    const request = { numPromptTokens: 1, engineIndex: null as unknown as number };
    const stats = record(new Tagged(5), request);
    expect(stats.engineIndex).toBe(4);
    expect(stats).not.toHaveProperty('requestId');
  });

  it('names the tagged request in what it reports before the subscription', () => {
    const diagnostics: MetricsDiagnostic[] = [];
    const request = { numPromptTokens: 1, maxTokens: -1 };
    record(silent.pipe(tagEngine(2, 'tagged')), request, made(diagnostics));
    expect(diagnostics).toMatchObject([{ source: 'maxTokens', engineIndex: 2, requestId: 'tagged' }]);
  });

  it.each([null, undefined, 'request', 5])('refuses %s for a request, at the call', (request) => {
    const call = () => withRequestMetrics(made(), request as unknown as RequestInfo);
    expect(call).toThrow(TypeError);
    expect(call).toThrow('withRequestMetrics.request: expected an object, got');
  });

  it('names the argument that is bad, at the call', () => {
    const call = (request: object) => () => withRequestMetrics(made(), request as RequestInfo);
    expect(call({ numPromptTokens: '9' })).toThrow(
      'withRequestMetrics.numPromptTokens: expected a whole number',
    );
    for (const absent of [{}, { numPromptTokens: null }, { numPromptTokens: undefined }])
      expect(call(absent)).not.toThrow();
    const bad = { numPromptTokens: 1, engineIndex: -1 };
    expect(call(bad)).toThrow(
      'withRequestMetrics.engineIndex: expected a whole number of at least 0, got -1',
    );
  });

  it('says how a source is tagged when neither it nor the request names the engine', () => {
    for (const source of [silent, Object.assign(new Tagged('a'), { engineIndex: null })]) {
      const apply = () => source.pipe(withRequestMetrics(made(), { numPromptTokens: 1 }));
      expect(apply).toThrow(TypeError);
      expect(apply).toThrow(
        /expected engineIndex .* source tagged .*tagEngine.*operator in between loses the tag\), got neither/,
      );
    }
  });
});

/** What the operators, the log and the setters say of arguments that are none: each its own message, at the call. */
import { Registry } from 'prom-client';
import { describe, expect, it } from 'vitest';
import { ServingMetrics, statsLog, withRequestMetrics, withSchedulerMetrics } from '../../src/index.js';

const metrics = new ServingMetrics({ registry: new Registry(), modelName: 'm' });
const request = { numPromptTokens: 1, engineIndex: 0 };

/** The call with whatever is given, as plain JavaScript would make it. */
const CALLS: Readonly<Record<string, (first: unknown, second?: unknown) => unknown>> = {
  withRequestMetrics: (first, second = request) => withRequestMetrics(first as never, second as never),
  withSchedulerMetrics: (first) => withSchedulerMetrics(first as never),
  statsLog: (first, second) => statsLog(first as never, second as never),
};

describe.each(Object.entries(CALLS))('%s', (name, call) => {
  it.each([
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['the class', ServingMetrics, 'ServingMetrics; make an instance with `new`'],
    ['a function without a name', () => {}, 'a function; make an instance with `new`'],
    ['a registry', new Registry(), 'a registry; give it to `new ServingMetrics({ registry, modelName })`'],
    ['a text', 'm', '"m"'],
    ['some object', {}, '[object Object]'],
  ])('says of its first argument that it got %s', (_, given, got) => {
    expect(() => call(given)).toThrow(
      new TypeError(`${name}.metrics: expected a ServingMetrics, got ${got}`),
    );
  });

  it('takes an instance', () => {
    expect(() => call(metrics)).not.toThrow();
  });
});

describe('arguments in the other order', () => {
  it.each(['withRequestMetrics', 'statsLog'])('are named by %s', (name) => {
    const message = `${name}.metrics: expected a ServingMetrics, got the arguments in the other order`;
    expect(() => CALLS[name]!(request, metrics)).toThrow(new TypeError(message));
  });
});

describe('metrics of a gateway, which sees no scheduler', () => {
  const gateway = new ServingMetrics({ registry: new Registry(), modelName: 'm', profile: 'gateway' });

  it.each(['withSchedulerMetrics', 'statsLog'])('are refused by %s', (name) => {
    const message = `${name}.metrics: expected profile 'engine', got 'gateway'`;
    expect(() => CALLS[name]!(gateway)).toThrow(new TypeError(message));
  });

  it('are taken by withRequestMetrics', () => {
    expect(() => CALLS['withRequestMetrics']!(gateway)).not.toThrow();
  });
});

describe('other slips', () => {
  it.each([
    [
      'null options of the log',
      () => statsLog(metrics, null as never),
      'statsLog.options: expected an object',
    ],
    [
      'null as a request',
      () => withRequestMetrics(metrics, null as never),
      'request: expected an object, got null',
    ],
    ['null options', () => new ServingMetrics(null as never), 'options: expected an object, got null'],
    [
      'an engine as a text',
      () => metrics.removeEngine('1' as never),
      'removeEngine.engineIndex: expected a number, got "1"',
    ],
  ])('have a message of their own: %s', (_, call, message) => {
    expect(call).toThrow(TypeError);
    expect(call).toThrow(message);
  });

  it('leave an unknown engine alone', () => {
    metrics.idle(99);
    metrics.idle(-1);
    metrics.removeEngine(99);
  });
});

/** Consumers, operators and teardowns that throw, compared with plain `defer` + `tap`. */
import { config } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { lostToTeardowns, swallowedByTap, throwing } from './failure-scenarios.js';
import { playBoth, type Scenario } from './rivals.js';

describe.each([false, true])('with useDeprecatedSynchronousErrorHandling %s', (flag) => {
  const playFlagged = (scenario: Scenario) => {
    config.useDeprecatedSynchronousErrorHandling = flag;
    try {
      return playBoth(scenario);
    } finally {
      config.useDeprecatedSynchronousErrorHandling = false;
    }
  };

  it.each(throwing)('fails as plain defer and tap do: %s', (_name, scenario, reasons) => {
    const { ours, plain } = playFlagged(scenario);
    expect(ours).toEqual(plain);
    expect(ours.reasons).toEqual(reasons);
  });

  it.each(swallowedByTap)('fails as an operator does that does nothing: %s', (_name, scenario, reasons) => {
    const { ours, plain, mapped } = playFlagged(scenario);
    expect(ours.log).toEqual(mapped.log);
    expect([ours.reasons, plain.reasons]).toEqual([reasons, reasons]);
  });

  it.each(lostToTeardowns)(
    'throws what plain defer and tap throw, and keeps the record: %s',
    (_name, scenario, reasons) => {
      const { ours, plain } = playFlagged(scenario);
      expect(ours.log).toEqual(plain.log);
      expect(ours.log.at(-1)).toMatch(/^thrown UnsubscriptionError/);
      expect([ours.reasons, plain.reasons]).toEqual([reasons, []]);
    },
  );
});

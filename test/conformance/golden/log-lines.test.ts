import { VirtualTimeScheduler } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { type StatsLogEntry, statsLog } from '../../../src/index.js';
import { type GoldenCase, type LogRecord, pythonCases } from './golden-case.js';
import { type LogEntry, LogReference } from './log-reference.js';
import { Replay } from './replay.js';

const cases = pythonCases('log-lines');

/** A tick's records by entry: each begins with its main line. */
function byEntry(records: readonly LogRecord[]): LogRecord[][] {
  const entries: LogRecord[][] = [];
  for (const record of records) {
    if (/: Avg prompt throughput: /u.test(record.line)) entries.push([]);
    entries.at(-1)!.push(record);
  }
  return entries;
}

/** Our entries, tick by tick; the ticks are those of the case. */
function ourEntries({ options, steps, start }: GoldenCase): LogEntry[] {
  const replay = new Replay(options);
  const scheduler = new VirtualTimeScheduler();
  const every = steps.find(({ log }) => log !== undefined)!.log!.elapsed * 1000;
  const entries: StatsLogEntry[] = [];
  const perEngine = options.aggregated !== true;
  statsLog(replay.metrics, { every, scheduler, perEngine }).subscribe((entry) => entries.push(entry));
  for (const step of steps) {
    replay.step(step);
    if (step.log === undefined) continue;
    scheduler.maxFrames = (step.receivedAt - start!) * 1000;
    scheduler.flush();
  }
  for (const { line, lines } of entries) expect(line).toBe(lines[0]);
  return entries.map(({ level, lines }) => ({ level, lines }));
}

function theirEntries({ options, steps }: GoldenCase): LogEntry[] {
  const groups = options.aggregated ? [options.engines] : options.engines.map((engine) => [engine]);
  const references = groups.map((engines) => new LogReference(engines));
  return steps.flatMap((step) => {
    for (const reference of references) reference.step(step);
    if (step.log === undefined) return [];
    const { records, elapsed } = step.log;
    return byEntry(records).map((entry, i) => references[i]!.entry(entry, elapsed));
  });
}

describe("Python's text log", () => {
  it.each(cases.map((golden) => [golden.name, golden] as const))(
    '%s: ours has the same lines',
    (_, golden) => {
      expect(ourEntries(golden)).toEqual(theirEntries(golden));
    },
  );

  it('has 18 cases', () => {
    expect(cases).toHaveLength(18);
  });
});

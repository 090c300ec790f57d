import type { Counter } from '../../metric/counter.js';
import type { Gauge } from '../../metric/gauge.js';
import { isRecordable } from '../../metric/handle.js';
import type { Histogram } from '../../metric/histogram.js';
import type { DiagnosticSource, Diagnostics } from '../diagnostics.js';

/**
 * Where an engine's figures go: checked, and reported if they are not what they should be. Absent figures say
 * nothing (a gauge then shows the wire's default, 0).
 */
export class StatsSink {
  readonly #engineIndex: number;
  readonly #diagnostics: Diagnostics;

  constructor(engineIndex: number, diagnostics: Diagnostics) {
    this.#engineIndex = engineIndex;
    this.#diagnostics = diagnostics;
  }

  /** Adds a count; an invalid one adds 0. */
  count(counter: Counter, source: DiagnosticSource, value: unknown): void {
    if (isRecordable(value)) counter.add(value);
    else this.oddCount(source, value);
  }

  /** Reports a count that is there and not one. */
  oddCount(source: DiagnosticSource, value: unknown): void {
    this.odd(source, 'expected a count, added 0', value);
  }

  /** Sets a gauge; an invalid figure leaves it. */
  gauge(gauge: Gauge, source: DiagnosticSource, value: unknown): void {
    if (isRecordable(value)) gauge.put(value);
    else if (!this.odd(source, 'expected a count, kept the last one', value)) gauge.put(0);
  }

  /** Sets a gauge to a share that is not one of 0 to 1: held to that, an absent one 0, anything else leaves it. */
  oddShare(gauge: Gauge, source: DiagnosticSource, value: unknown): void {
    if (typeof value === 'number' && Number.isFinite(value)) {
      gauge.put(value < 0 ? 0 : 1);
      this.report(source, `expected a share of 0 to 1, took ${gauge.value}`, value);
    } else if (!this.odd(source, 'expected a share of 0 to 1, kept the last one', value)) gauge.put(0);
  }

  /** Adds a sample; an invalid one counts as 0, an absent one is none. */
  observe(histogram: Histogram, source: DiagnosticSource, value: unknown): void {
    if (isRecordable(value)) histogram.observe(value);
    else if (this.odd(source, 'expected a figure of at least 0, took 0', value)) histogram.observe(0);
  }

  /** Adds a sample per element of a list. */
  observeAll(histogram: Histogram, source: DiagnosticSource, list: unknown): void {
    if (!this.isList(source, list)) return;
    for (let i = 0; i < list.length; i++) this.observe(histogram, source, list[i]);
  }

  /** Adds up a list. */
  countAll(counter: Counter, source: DiagnosticSource, list: unknown): void {
    if (!this.isList(source, list)) return;
    for (let i = 0; i < list.length; i++) this.count(counter, source, list[i]);
  }

  /** True for a list; anything else that is there is reported. */
  isList(source: DiagnosticSource, value: unknown): value is readonly unknown[] {
    if (Array.isArray(value)) return true;
    this.odd(source, 'expected an array, ignored it', value);
    return false;
  }

  /** True for a struct; anything else that is there is reported. */
  isStruct(source: DiagnosticSource, value: unknown): value is object {
    if (typeof value === 'object' && value !== null) return true;
    this.odd(source, 'expected an object, ignored it', value);
    return false;
  }

  /** Reports a value, unless it is absent; true if it is there. */
  odd(source: DiagnosticSource, message: string, value: unknown): boolean {
    if (value === undefined || value === null) return false;
    this.report(source, message, value);
    return true;
  }

  report(source: DiagnosticSource, message: string, value: unknown): void {
    this.#diagnostics.report(source, message, value, { engineIndex: this.#engineIndex });
  }
}

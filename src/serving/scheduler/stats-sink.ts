import type { Counter } from '../../metric/counter.js';
import type { Gauge } from '../../metric/gauge.js';
import { isRecordable } from '../../metric/handle.js';
import type { Histogram } from '../../metric/histogram.js';
import type { DiagnosticSource, Diagnostics } from '../diagnostics.js';
import { plainNumber } from '../plain-number.js';

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
    else this.oddCount(counter, source, value);
  }

  /** Adds a count that is no usual number: a bigint is one, anything else that is there is reported. */
  oddCount(counter: Counter, source: DiagnosticSource, value: unknown): void {
    const count = plainNumber(value);
    if (isRecordable(count)) counter.add(count);
    else this.odd(source, 'expected a count, added 0', value);
  }

  /** Sets a gauge; an invalid figure leaves it. */
  gauge(gauge: Gauge, source: DiagnosticSource, value: unknown): void {
    if (isRecordable(value)) gauge.put(value);
    else this.#oddGauge(gauge, source, value);
  }

  #oddGauge(gauge: Gauge, source: DiagnosticSource, value: unknown): void {
    const count = plainNumber(value);
    if (isRecordable(count)) gauge.put(count);
    else if (!this.odd(source, 'expected a count, kept the last one', value)) gauge.put(0);
  }

  /** Sets a gauge to a share that is not one of 0 to 1: held to that, an absent one 0, anything else leaves it. */
  oddShare(gauge: Gauge, source: DiagnosticSource, value: unknown): void {
    const share = plainNumber(value);
    if (share === 0 || share === 1) gauge.put(share);
    else if (typeof share === 'number' && Number.isFinite(share)) {
      gauge.put(share < 0 ? 0 : 1);
      this.report(source, `expected a share of 0 to 1, took ${gauge.value}`, value);
    } else if (!this.odd(source, 'expected a share of 0 to 1, kept the last one', value)) gauge.put(0);
  }

  /** Adds a sample; an invalid one counts as 0, an absent one is none. */
  observe(histogram: Histogram, source: DiagnosticSource, value: unknown): void {
    const figure = isRecordable(value) ? value : plainNumber(value);
    if (isRecordable(figure)) histogram.observe(figure);
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

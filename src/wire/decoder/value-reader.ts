/** Single values of a message. One that is not what it should be is skipped, reported and absent; nil is just absent. */
import { ARRAY, FLOAT, INTEGER, type Kind, MAP, NIL, TEXT } from '../msgpack/kind.js';
import { MsgpackReader } from '../msgpack/msgpack-reader.js';
import { defineOwn, readOpaqueOf, readText } from '../msgpack/opaque-reader.js';
import { skipOf } from '../msgpack/skip.js';
import type { KnownTexts } from './known-texts.js';
import type { WireReporter } from './reporter.js';

export class ValueReader {
  readonly reader: MsgpackReader = new MsgpackReader();
  readonly #reporter: WireReporter;
  /** Names that are data, but come with each step: stages, tiers, adapters. */
  readonly #names: KnownTexts;

  constructor(reporter: WireReporter, names: KnownTexts) {
    this.#reporter = reporter;
    this.#names = names;
  }

  report(source: string, message: string, offset: number = this.reader.position): void {
    this.#reporter.report(source, message, offset);
  }

  /** Any number. */
  float(source: string, depth: number): number | undefined {
    const kind = this.reader.head();
    if (kind === INTEGER || kind === FLOAT) return this.reader.number;
    return this.refuse(kind, source, 'a number', depth);
  }

  /** A whole number, also one that is spelled as a float. */
  count(source: string, depth: number): number | undefined {
    const kind = this.reader.head();
    if (this.#isWhole(kind)) return this.reader.number;
    return this.refuse(kind, source, 'a whole number', depth);
  }

  text(source: string, depth: number): string | undefined {
    const kind = this.reader.head();
    return kind === TEXT ? readText(this.reader) : this.refuse(kind, source, 'a string', depth);
  }

  /** A name by its number; an unknown number's decimal text, which the recorders then see as unknown. */
  named(names: readonly (string | undefined)[], source: string, depth: number): string | undefined {
    const number = this.count(source, depth);
    if (number === undefined) return undefined;
    const known = names[number];
    if (known !== undefined) return known;
    this.report(source, `expected one of ${names.filter(Boolean).join(', ')}, took ${number} as its text`);
    return BigInt(number).toString(); // no exponent, however large
  }

  /** A map whose keys are data. */
  map(source: string, depth: number): object | undefined {
    const kind = this.reader.head();
    if (kind !== MAP) return this.refuse(kind, source, 'a map', depth);
    return readOpaqueOf(this.reader, kind, depth) as object; // as its head says
  }

  opaque(depth: number): unknown {
    return readOpaqueOf(this.reader, this.reader.head(), depth) ?? undefined;
  }

  /** The length of an array; its elements are to be read. */
  list(source: string, depth: number): number | undefined {
    const kind = this.reader.head();
    return kind === ARRAY ? this.reader.number : this.refuse(kind, source, 'an array', depth);
  }

  /** A list of numbers, of whole ones if `isWhole`; unreadable as a whole if one of its elements is. */
  numbers(isWhole: boolean, source: string, depth: number): number[] | undefined {
    const length = this.list(source, depth);
    if (length === undefined) return undefined;
    const numbers: number[] = [];
    let isReadable = true;
    for (let i = 0; i < length; i++) {
      const kind = this.reader.head();
      if (isWhole ? this.#isWhole(kind) : kind === INTEGER || kind === FLOAT)
        numbers.push(this.reader.number);
      else {
        skipOf(this.reader, kind, depth + 1);
        isReadable = false;
      }
    }
    if (isReadable) return numbers;
    this.report(source, `expected ${isWhole ? 'whole numbers' : 'numbers'} only, left the list out`);
    return undefined;
  }

  /** A list of strings; what is none is left out. */
  texts(source: string, depth: number): string[] | undefined {
    const length = this.list(source, depth);
    if (length === undefined) return undefined;
    const texts: string[] = [];
    for (let i = 0; i < length; i++) {
      const kind = this.reader.head();
      if (kind === TEXT) texts.push(readText(this.reader));
      else this.#leaveOut(kind, source, 'strings', depth + 1);
    }
    return texts;
  }

  /** A map from names to whole numbers; entries that are something else are left out. */
  tally(source: string, depth: number): Record<string, number> | undefined {
    const kind = this.reader.head();
    if (kind !== MAP) return this.refuse(kind, source, 'a map', depth);
    const tally: Record<string, number> = {};
    this.#names.begin(source);
    for (let left = this.reader.number; left > 0; left--) this.#entry(tally, source, depth + 1);
    return tally;
  }

  /** Moves past a value that is not what it should be; a nil is absent, anything else is reported. */
  refuse(kind: Kind, source: string, expected: string, depth: number): undefined {
    const offset = this.reader.position;
    skipOf(this.reader, kind, depth);
    if (kind !== NIL) this.report(source, `expected ${expected}, left it out`, offset);
    return undefined;
  }

  #isWhole(kind: Kind): boolean {
    return kind === INTEGER || (kind === FLOAT && Number.isInteger(this.reader.number));
  }

  #entry(tally: Record<string, number>, source: string, depth: number): void {
    const { reader } = this;
    const keyKind = reader.head();
    const key =
      keyKind === TEXT ? this.#names.take(reader, reader.need(reader.number), reader.number) : undefined;
    if (key === undefined) this.#leaveOut(keyKind, source, 'names as keys', depth);
    const kind = reader.head();
    if (!this.#isWhole(kind)) this.#leaveOut(kind, source, 'whole numbers', depth);
    else if (key === '__proto__') defineOwn(tally, key, reader.number);
    else if (key !== undefined) tally[key] = reader.number;
  }

  #leaveOut(kind: Kind, source: string, expected: string, depth: number): void {
    const offset = this.reader.position;
    skipOf(this.reader, kind, depth);
    this.report(source, `expected ${expected}, left one out`, offset);
  }
}

import { GrowingBytes } from './growing-bytes.js';

const TWO_32 = 4_294_967_296;
const UTF8 = new TextEncoder();

/**
 * Msgpack's primitives, each number in its shortest form, as both of upstream's encoders write them.
 * @see https://github.com/msgpack/msgpack/blob/master/spec.md
 */
export class MsgpackWriter {
  readonly #out = new GrowingBytes();

  /** What was written; a copy as long as it is. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#out.copy();
  }

  nil(): void {
    this.#out.byte(0xc0);
  }

  boolean(value: boolean): void {
    this.#out.byte(value ? 0xc3 : 0xc2);
  }

  /** A whole number that 64 bits hold: from -2^63 to 2^64 - 1. */
  integer(value: number | bigint): void {
    if (typeof value === 'bigint') this.#bigint(value);
    else if (value >= 0) this.#unsigned(value);
    else this.#negative(value);
  }

  float64(value: number): void {
    this.#out.float64(0xcb, value);
  }

  float32(value: number): void {
    this.#out.float32(0xca, value);
  }

  /** A string; a lone surrogate becomes U+FFFD. */
  text(value: string): void {
    if (value.length < 32 && this.#out.ascii(0xa0 | value.length, value)) return;
    const bytes = UTF8.encode(value);
    if (bytes.length < 32) this.#out.byte(0xa0 | bytes.length);
    else this.#head(bytes.length, 0xd9);
    this.#out.append(bytes);
  }

  binary(value: Uint8Array): void {
    this.#head(value.length, 0xc4);
    this.#out.append(value);
  }

  extension(type: number, data: Uint8Array): void {
    const { length } = data;
    const fixed = length > 0 && length <= 16 && (length & (length - 1)) === 0;
    if (fixed) this.#out.byte(0xd4 + Math.log2(length));
    else this.#head(length, 0xc7);
    this.#out.byte(type & 0xff);
    this.#out.append(data);
  }

  /** The head of an array; that many values follow. */
  array(length: number): void {
    if (length < 16) this.#out.byte(0x90 | length);
    else this.#longHead(length, 0xdc);
  }

  /** The head of a map; that many keys, each with its value, follow. */
  map(length: number): void {
    if (length < 16) this.#out.byte(0x80 | length);
    else this.#longHead(length, 0xde);
  }

  #unsigned(value: number): void {
    if (value < 0x80) this.#out.byte(value);
    else if (value < 0x100) this.#out.byte8(0xcc, value);
    else if (value < 0x10000) this.#out.byte16(0xcd, value);
    else if (value < TWO_32) this.#out.byte32(0xce, value);
    else this.#out.byte64(0xcf, BigInt(value));
  }

  #negative(value: number): void {
    if (value >= -0x20) this.#out.byte(value & 0xff);
    else if (value >= -0x80) this.#out.byte8(0xd0, value);
    else if (value >= -0x8000) this.#out.byte16(0xd1, value);
    else if (value >= -0x80000000) this.#out.byte32(0xd2, value);
    else this.#out.byte64(0xd3, BigInt(value));
  }

  #bigint(value: bigint): void {
    if (value >= -0x80000000n && value < 0x100000000n) this.integer(Number(value));
    else this.#out.byte64(value >= 0n ? 0xcf : 0xd3, value);
  }

  /** The head of texts, bytes and extensions: 8, 16 or 32 bits of length, from `first` on. */
  #head(length: number, first: number): void {
    if (length < 0x100) this.#out.byte8(first, length);
    else this.#longHead(length, first + 1);
  }

  #longHead(length: number, first: number): void {
    if (length < 0x10000) this.#out.byte16(first, length);
    else this.#out.byte32(first + 1, length);
  }
}

import { WireDecodeError } from '../wire-decode-error.js';
import { ARRAY, BINARY, BOOLEAN, EXTENSION, FLOAT, INTEGER, type Kind, MAP, NIL, TEXT } from './kind.js';

const TWO_32 = 4_294_967_296;
const NOTHING = new Uint8Array(0);

/**
 * A cursor over msgpack that reads one head at a time. No length is believed before the bytes that it asks for are
 * there: an element takes at least one byte, a map's entry two.
 */
export class MsgpackReader {
  bytes: Uint8Array = NOTHING;
  view: DataView = new DataView(NOTHING.buffer);
  position = 0;
  end = 0;
  /** Of the last head: the number, the length in bytes or values, or 0 and 1 for false and true. */
  number = 0;
  /** Of the last head, if it was an extension's: its type. */
  extensionType = 0;

  constructor(bytes: Uint8Array = NOTHING) {
    this.reset(bytes);
  }

  /** From now on reads these bytes. */
  reset(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.position = 0;
    this.end = bytes.length;
  }

  /** Lets go of the bytes. */
  release(): void {
    this.reset(NOTHING);
  }

  /**
   * Reads a head: `number` then holds the value, or the length of what follows, and `position` is after the head.
   * @throws {WireDecodeError} if the bytes end before it, or before what its length promises.
   */
  head(): Kind {
    const at = this.need(1);
    const byte = this.bytes[at]!;
    if (byte < 0x80) return this.#small(byte);
    if (byte >= 0xe0) return this.#small(byte - 0x100);
    if (byte < 0x90) return this.#counted(MAP, byte & 0x0f, 2);
    if (byte < 0xa0) return this.#counted(ARRAY, byte & 0x0f, 1);
    if (byte < 0xc0) return this.#counted(TEXT, byte & 0x1f, 1);
    return this.#marked(byte, at);
  }

  /** Moves on by `length` bytes and returns where they start. */
  need(length: number): number {
    const at = this.position;
    if (length > this.end - at) throw new WireDecodeError(at, 'truncated');
    this.position = at + length;
    return at;
  }

  /** The bytes that the last head counted, as a view; moves on. */
  payload(): Uint8Array {
    const at = this.need(this.number);
    return this.bytes.subarray(at, this.position);
  }

  /** Throws if anything is left. */
  finish(): void {
    if (this.position < this.end) throw new WireDecodeError(this.position, 'trailing bytes');
  }

  /** The last head's integer with all its bits, if it took 64 of them and a number cannot hold it. */
  exactInteger(): number | bigint {
    if (Number.isSafeInteger(this.number)) return this.number;
    const at = this.position - 8;
    return this.bytes[at - 1] === 0xcf ? this.view.getBigUint64(at) : this.view.getBigInt64(at);
  }

  #small(value: number): Kind {
    this.number = value;
    return INTEGER;
  }

  #counted(kind: Kind, length: number, bytesEach: number): Kind {
    if (length * bytesEach > this.end - this.position)
      throw new WireDecodeError(this.position, 'length beyond the bytes');
    this.number = length;
    return kind;
  }

  #marked(byte: number, at: number): Kind {
    switch (byte) {
      case 0xc0:
        this.number = 0;
        return NIL;
      case 0xc1:
        throw new WireDecodeError(at, 'reserved byte 0xc1');
      case 0xc2:
      case 0xc3:
        this.number = byte - 0xc2;
        return BOOLEAN;
      case 0xca:
        this.number = this.view.getFloat32(this.need(4));
        return FLOAT;
      case 0xcb:
        this.number = this.view.getFloat64(this.need(8));
        return FLOAT;
      default:
        return byte >= 0xcc && byte <= 0xd3 ? this.#integer(byte) : this.#long(byte);
    }
  }

  #integer(byte: number): Kind {
    this.number = byte < 0xd0 ? this.#unsigned(1 << (byte - 0xcc)) : this.#signed(1 << (byte - 0xd0));
    return INTEGER;
  }

  #unsigned(width: number): number {
    const at = this.need(width);
    if (width === 1) return this.bytes[at]!;
    if (width === 2) return this.view.getUint16(at);
    const high = this.view.getUint32(at);
    // The product is exact, so the sum is rounded once: to the nearest number.
    return width === 4 ? high : high * TWO_32 + this.view.getUint32(at + 4);
  }

  #signed(width: number): number {
    const at = this.need(width);
    if (width === 1) return this.view.getInt8(at);
    if (width === 2) return this.view.getInt16(at);
    const high = this.view.getInt32(at);
    return width === 4 ? high : high * TWO_32 + this.view.getUint32(at + 4);
  }

  /** Lengths of 8, 16 or 32 bits, and extensions. */
  #long(byte: number): Kind {
    if (byte >= 0xd4 && byte <= 0xd8) return this.#extension(1 << (byte - 0xd4));
    if (byte >= 0xd9 && byte <= 0xdb) return this.#counted(TEXT, this.#unsigned(1 << (byte - 0xd9)), 1);
    if (byte >= 0xdc && byte <= 0xdd) return this.#counted(ARRAY, this.#unsigned(2 << (byte - 0xdc)), 1);
    if (byte >= 0xde) return this.#counted(MAP, this.#unsigned(2 << (byte - 0xde)), 2);
    if (byte >= 0xc7) return this.#extension(this.#unsigned(1 << (byte - 0xc7)));
    return this.#counted(BINARY, this.#unsigned(1 << (byte - 0xc4)), 1);
  }

  #extension(length: number): Kind {
    const at = this.need(1);
    this.extensionType = this.view.getInt8(at);
    return this.#counted(EXTENSION, length, 1);
  }
}

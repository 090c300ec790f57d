import { WireDecodeError } from '../wire-decode-error.js';
import { MAX_DEPTH } from './depth.js';
import { ARRAY, BINARY, EXTENSION, type Kind, MAP, TEXT } from './kind.js';
import type { MsgpackReader } from './msgpack-reader.js';

/** Values that are still to be skipped, at each depth that is open. */
const left = new Float64Array(MAX_DEPTH + 1);

/**
 * Moves past a value without building anything of it. No hostile depth can overflow the stack.
 * @param depth the arrays and maps around it
 * @throws {WireDecodeError} if it is cut off, or nests too deep.
 */
export function skip(reader: MsgpackReader, depth: number): void {
  skipOf(reader, reader.head(), depth);
}

/** The same for a value whose head has been read. */
export function skipOf(reader: MsgpackReader, first: Kind, depth: number): void {
  let open = 0;
  let kind = first;
  while (true) {
    if (kind === ARRAY || kind === MAP) {
      if (depth + open >= MAX_DEPTH) throw new WireDecodeError(reader.position, 'nested deeper than 512');
      open++;
      left[open] = kind === MAP ? reader.number * 2 : reader.number;
    } else if (kind === TEXT || kind === BINARY || kind === EXTENSION) reader.need(reader.number);
    while (open > 0 && left[open] === 0) open--;
    if (open === 0) return;
    left[open]! -= 1;
    kind = reader.head();
  }
}

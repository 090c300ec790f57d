import type { MsgpackReader } from '../msgpack/msgpack-reader.js';
import { readOpaque } from '../msgpack/opaque-reader.js';

/** An array of numbers as the engine had it. */
export interface WireTensor {
  /** Numpy's name (`<f4`) or torch's (`float32`), as it came. */
  readonly dtype: string;
  readonly shape: readonly number[];
  /** Little-endian bytes: a view of an auxiliary frame, or a copy of the few that stand in the message itself. */
  readonly data: Uint8Array;
}

/** The extension type of raw bytes; 1 and 2 are pickles, which are never decoded. */
const RAW = 3;

/** More would be a hostile message; upstream's have four levels. */
const MOST_LEVELS = 16;

function isShape(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((size) => Number.isSafeInteger(size) && size >= 0);
}

function dataOf(value: unknown, frames: readonly Uint8Array[]): Uint8Array | undefined {
  if (typeof value === 'number') return value > 0 ? frames[value] : undefined;
  const { ext, data } = (value ?? {}) as { ext?: unknown; data?: unknown };
  return ext === RAW && data instanceof Uint8Array ? data : undefined;
}

/** Bytes of an element: the digits of numpy's name are bytes, of torch's bits; undefined for a name that is new. */
function sizeOf(dtype: string): number | undefined {
  const numpy = /^[<>|=]?[biufc](\d+)$/.exec(dtype)?.[1];
  if (numpy !== undefined) return Number(numpy);
  if (dtype === 'bool') return 1;
  const torch = /^(?:u?int|b?float|complex)(\d+)$/.exec(dtype)?.[1];
  return torch === undefined ? undefined : Number(torch) / 8;
}

function fits({ dtype, shape, data }: WireTensor): boolean {
  const size = sizeOf(dtype);
  return size === undefined || shape.reduce((product, each) => product * each, size) === data.length;
}

function isTensor(value: readonly unknown[]): boolean {
  return value.length === 3 && typeof value[0] === 'string' && isShape(value[1]);
}

/** The value with tensors in place of their arrays; undefined in place of one whose data is not there. */
function withTensors(
  value: unknown,
  frames: readonly Uint8Array[],
  onBroken: () => void,
  level = 0,
): unknown {
  if (!Array.isArray(value) || level > MOST_LEVELS) return value;
  if (!isTensor(value)) return value.map((each) => withTensors(each, frames, onBroken, level + 1));
  const data = dataOf(value[2], frames);
  const tensor = { dtype: value[0] as string, shape: value[1] as number[], data: data! };
  if (data !== undefined && fits(tensor)) return tensor;
  onBroken();
  return undefined;
}

/** A field with arrays of numbers in it. `onBroken` is told of an array whose data is missing or of another size. */
export function readTensors(
  reader: MsgpackReader,
  frames: readonly Uint8Array[],
  depth: number,
  onBroken: () => void,
): unknown {
  return withTensors(readOpaque(reader, depth) ?? undefined, frames, onBroken);
}

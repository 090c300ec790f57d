/** Messages that upstream's own encoder wrote or its decoder read, as they are kept in the fixtures. */
import { readFixture } from '../../support/fixtures.js';
import { bytesOf } from '../sessions.js';

export interface Vector {
  readonly name: string;
  readonly frames: readonly string[];
  readonly decoded?: unknown;
  readonly upstream?: 'ok' | 'error';
  /** What upstream leaves undecoded, by path. */
  readonly notDecoded?: readonly { readonly path: string; readonly value?: unknown }[];
}

export const VECTORS: readonly Vector[] = readFixture<{ messages: Vector[] }>(
  'wire/engine-core-outputs.json',
).messages;
export const FUTURE: readonly Vector[] = readFixture<{ messages: Vector[] }>('wire/future.json').messages;
export const MALFORMED: readonly Vector[] = readFixture<{ messages: Vector[] }>(
  'wire/malformed.json',
).messages;

export function framesOf({ frames }: Vector): Uint8Array[] {
  return frames.map(bytesOf);
}

/** A vector's `decoded` with its notes for what JSON has not: large integers, odd floats, maps. */
export function revived(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(revived);
  if (typeof value !== 'object' || value === null) return value;
  const { $bigint, $float, $map } = value as {
    $bigint?: string;
    $float?: string;
    $map?: [unknown, unknown][];
  };
  if ($bigint !== undefined) return Number($bigint);
  if ($float !== undefined) return Number($float);
  if ($map !== undefined) return new Map($map.map(([key, each]) => [revived(key), revived(each)]));
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, revived(each)]));
}

/** A decoded message without what is undefined, so that it compares with what JSON can hold. */
export function present(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(present);
  if (value instanceof Map || value instanceof Uint8Array) return value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, each]) => each !== undefined)
      .map(([key, each]) => [key, present(each)]),
  );
}

/**
 * The rules of the decoder, written down plainly over another decoder's tree: first everything is built, then looked
 * at. What the fields are called is taken from the tables; how they are read is not.
 */
import { decode, type ExtensionCodecType } from '@msgpack/msgpack';
import { connectorFromWire } from '../../../src/wire/outputs/connector-names.js';
import { EVENT_TYPES, FINISH_REASONS } from '../../../src/wire/outputs/enums.js';
import type { FieldKind, MapStruct } from '../../../src/wire/outputs/map-struct.js';
import { EVENT, PREFILL_STATS } from '../../../src/wire/outputs/output-structs.js';
import { SCHEDULER_STATS } from '../../../src/wire/outputs/stats-structs.js';

/** A map as the other decoder builds it: keys that are strings after an `s`, others by their number in `keys`. */
class Tree {
  readonly root: unknown;
  readonly #keys: unknown[] = [];

  /** Throws if the other decoder refuses the bytes. */
  constructor(bytes: Uint8Array) {
    const extensionCodec: ExtensionCodecType<undefined> = {
      __brand: undefined as never, // its mark, for its own use
      tryToEncode: () => null,
      decode: (data, ext) => new Extension(ext, data.slice()),
    };
    const mapKeyConverter = (key: unknown) =>
      typeof key === 'string' ? `s${key}` : `o${this.#keys.push(key) - 1}`;
    this.root = decode(bytes, { extensionCodec, mapKeyConverter, useBigInt64: true });
  }

  /** The map's entries with their keys as they were; undefined for what is no map. */
  entries(value: unknown): [key: unknown, value: unknown][] | undefined {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (value instanceof Uint8Array || value instanceof Extension) return undefined;
    return Object.entries(value).map(([key, each]) => [
      key.startsWith('s') ? key.slice(1) : this.#keys[Number(key.slice(1))],
      each,
    ]);
  }

  opaque(value: unknown): unknown {
    if (typeof value === 'bigint') return Number(value);
    if (Array.isArray(value)) return value.map((each) => this.opaque(each));
    if (value instanceof Extension) return { ext: value.ext, data: value.data };
    const entries = this.entries(value)?.map(([key, each]) => [this.opaque(key), this.opaque(each)] as const);
    if (entries === undefined) return value;
    return entries.every(([key]) => typeof key === 'string')
      ? Object.fromEntries(entries as [string, unknown][])
      : new Map(entries);
  }
}

class Extension {
  readonly ext: number;
  readonly data: Uint8Array;

  constructor(ext: number, data: Uint8Array) {
    this.ext = ext;
    this.data = data;
  }
}

function float(value: unknown): number | undefined {
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : undefined;
}

function count(value: unknown): number | undefined {
  const number = float(value);
  return Number.isInteger(number) ? number : undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function all<T>(value: unknown, read: (each: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const list = value.map(read);
  return list.includes(undefined) ? undefined : (list as T[]);
}

function readable<T>(value: unknown, read: (each: unknown) => T | undefined): T[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.map(read).filter((each) => each !== undefined);
}

function named(names: readonly (string | undefined)[], value: unknown): string | undefined {
  const number = count(value);
  return number === undefined ? undefined : (names[number] ?? BigInt(number).toString());
}

function field(tree: Tree, kind: FieldKind, value: unknown): unknown {
  if (typeof kind === 'object')
    return 'create' in kind
      ? struct(tree, kind, value)
      : readable(value, (each) => struct(tree, kind[0], each));
  const entries = tree.entries(value);
  switch (kind) {
    case 'count':
      return count(value);
    case 'float':
      return float(value);
    case 'flag':
      return typeof value === 'boolean' ? value : undefined;
    case 'text':
      return text(value);
    case 'counts':
      return all(value, count);
    case 'floats':
      return all(value, float);
    case 'tally': {
      const good = entries?.filter(([key, each]) => typeof key === 'string' && count(each) !== undefined);
      return good && Object.fromEntries(good.map(([key, each]) => [key, count(each)]));
    }
    case 'map':
      return entries && tree.opaque(value);
    case 'connector':
      return entries && connectorFromWire(tree.opaque(value) as object);
    case 'event type':
      return named(EVENT_TYPES, value);
    default:
      return tree.opaque(value) ?? undefined;
  }
}

function struct(
  tree: Tree,
  { fields, create }: MapStruct,
  value: unknown,
): Record<string, unknown> | undefined {
  const entries = tree.entries(value);
  if (entries === undefined) return undefined;
  const values = new Map(entries);
  const read = create();
  for (const { name, key, kind } of fields) read[name] = field(tree, kind, values.get(key)) ?? read[name];
  return read;
}

function event(tree: Tree, value: unknown): Record<string, unknown> | undefined {
  const read = struct(tree, EVENT, value);
  return read?.['type'] === undefined || read['timestamp'] === undefined ? undefined : read;
}

function output(tree: Tree, value: unknown): unknown {
  if (!Array.isArray(value)) return undefined;
  const [requestId, newTokenIds] = [text(value[0]), all(value[1], count)];
  if (requestId === undefined || newTokenIds === undefined) return undefined;
  const map = (position: number) => field(tree, 'map', value[position]);
  return {
    requestId,
    newTokenIds,
    finishReason: named(FINISH_REASONS, value[5]),
    stopReason: text(value[6]) ?? count(value[6]),
    events: readable(value[7], (each) => event(tree, each)),
    kvTransferParams: map(8),
    ecTransferParams: map(9),
    traceHeaders: map(10),
    prefillStats: struct(tree, PREFILL_STATS, value[11]),
    numNansInLogits: count(value[13]) ?? 0,
    mmCacheMissHashes: readable(value[14], text),
    specDecodeMetrics: map(16),
  };
}

function utilityOutput(tree: Tree, value: unknown): unknown {
  if (!Array.isArray(value) || count(value[0]) === undefined) return undefined;
  const [callId, failureMessage, result] = value as unknown[];
  const isWide = typeof callId === 'bigint' && !Number.isSafeInteger(Number(callId));
  return {
    callId: isWide ? callId : count(callId),
    failureMessage: text(failureMessage),
    result: Array.isArray(result) && result.length > 1 ? (tree.opaque(result[1]) ?? undefined) : undefined,
  };
}

/** The message by the plain rules; undefined if it names no engine that there can be. Throws if it is no msgpack. */
export function readPlainly(bytes: Uint8Array): object | undefined {
  const tree = new Tree(bytes);
  const { root } = tree;
  if (!Array.isArray(root)) return undefined;
  const engineIndex = count(root[0] ?? 0);
  if (engineIndex === undefined || engineIndex < 0) return undefined;
  return {
    engineIndex,
    outputs: readable(root[1], (each) => output(tree, each)) ?? [],
    schedulerStats: struct(tree, SCHEDULER_STATS, root[2]),
    timestamp: float(root[3]),
    utilityOutput: utilityOutput(tree, root[4]),
    finishedRequests: readable(root[5], text),
    waveComplete: count(root[6]),
    startWave: count(root[7]),
    weightVersion: text(root[8]),
  };
}

/** What upstream's own encoder wrote, and what its decoder made of it. */
import { describe, expect, it } from 'vitest';
import { EngineCoreOutputsDecoder, type WireDiagnostic, type WireTensor } from '../../../src/wire/index.js';
import { FUTURE, framesOf, present, revived, VECTORS, type Vector } from './vectors.js';

function decoded(frames: readonly Uint8Array[]): { message: unknown; diagnostics: WireDiagnostic[] } {
  const diagnostics: WireDiagnostic[] = [];
  const decoder = new EngineCoreOutputsDecoder({
    onDiagnostic: (diagnostic) => diagnostics.push(diagnostic),
  });
  return { message: present(decoder.decode(frames)), diagnostics };
}

const TENSORS = /^outputs\[0\]\.(new\w+|poolingOutput|routedExperts)$/;

type Reader = (view: DataView, at: number) => number;

const READERS: Readonly<Record<string, readonly [size: number, read: Reader]>> = {
  '<i2': [2, (view, at) => view.getInt16(at, true)],
  '<i4': [4, (view, at) => view.getInt32(at, true)],
  '<i8': [8, (view, at) => Number(view.getBigInt64(at, true))],
  int64: [8, (view, at) => Number(view.getBigInt64(at, true))],
  '<f4': [4, (view, at) => view.getFloat32(at, true)],
  float32: [4, (view, at) => view.getFloat32(at, true)],
};

/** Tensors with their numbers in place of their bytes. */
function numbersOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(numbersOf);
  const { dtype, shape, data } = (value ?? {}) as Partial<WireTensor>;
  if (dtype === undefined || data === undefined) return value;
  const [size, read] = READERS[dtype]!;
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return { dtype, shape, data: Array.from({ length: data.length / size }, (_, i) => read(view, i * size)) };
}

/** What the vectors say of such a field: long data is told by its beginning and its sum. */
function wanted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(wanted);
  if (typeof value !== 'object' || value === null) return value;
  const { dtype, shape, data } = value as { dtype?: string; shape?: number[]; data?: unknown };
  if (dtype === undefined) return revived(value);
  if (Array.isArray(data)) return { dtype, shape, data: revived(data) };
  const { first, sum } = data as { first: number[]; sum: number };
  return {
    dtype,
    shape,
    data: expect.toSatisfy(
      (all: number[]) =>
        first.every((each, i) => each === all[i]) && all.reduce((total, each) => total + each, 0) === sum,
    ),
  };
}

/** Upstream leaves utility results to its caller, and puts its own clock into a timestamp of 0; ours gives both. */
function expected({ name, decoded: upstream, notDecoded = [] }: Vector): unknown {
  const message = revived(upstream) as Record<string, unknown>;
  const result = notDecoded.find(({ path }) => path === 'utilityOutput.result')?.value ?? undefined;
  if (result !== undefined) message['utilityOutput'] = { ...(message['utilityOutput'] as object), result };
  if (name === 'short: timestamp 0.0') message['timestamp'] = 0;
  return message;
}

describe('messages of upstream’s encoder', () => {
  it.each(VECTORS.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const { message, diagnostics } = decoded(framesOf(vector));
    expect(message).toEqual(expected(vector));
    expect(diagnostics).toEqual([]);
  });
});

describe('messages of newer engines, of which upstream drops what it does not know', () => {
  it.each(FUTURE.map((vector) => [vector.name, vector] as const))('%s', (_, vector) => {
    const { message } = decoded(framesOf(vector));
    expect(message).toMatchObject(revived(vector.decoded) as object);
  });
});

describe('tensors', () => {
  const withTensors = VECTORS.filter(({ notDecoded = [] }) =>
    notDecoded.some(({ path }) => TENSORS.test(path)),
  );

  it('are in some of the messages', () => {
    expect(withTensors.length).toBeGreaterThan(8);
  });

  it.each(withTensors.map((vector) => [vector.name, vector] as const))(
    'are given on demand: %s',
    (_, vector) => {
      const [output] = new EngineCoreOutputsDecoder({ tensors: true }).decode(framesOf(vector)).outputs;
      for (const { path, value } of vector.notDecoded!) {
        const name = TENSORS.exec(path)?.[1] as keyof typeof output | undefined;
        if (name !== undefined) expect(numbersOf(output![name])).toEqual(wanted(value));
      }
    },
  );
});

/** Values that no engine sends and every library meets. */
import fc, { type Arbitrary } from 'fast-check';

const refuse = (): never => {
  throw new Error('hands off');
};

/** Throws whatever is done with it. */
function untouchable(): unknown {
  return new Proxy(() => {}, {
    get: refuse,
    has: refuse,
    ownKeys: refuse,
    getPrototypeOf: refuse,
    getOwnPropertyDescriptor: refuse,
    apply: refuse,
  });
}

function revoked(target: object): unknown {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function circular(): unknown {
  const object: Record<string, unknown> = { timestamp: 1 };
  object['self'] = object;
  return object;
}

/** An array in all but its length. */
function arrayOfLength(length: unknown): unknown {
  return new Proxy([1, 2, 3], {
    get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)),
  });
}

/** A typed array whose own `length` hides the true one. */
function viewOfLength(length: unknown): unknown {
  return Object.defineProperty(new Uint32Array(3), 'length', { value: length });
}

const figures = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  -1,
  -0,
  0.5,
  1e9,
  2 ** 53,
  1e199,
  1e201,
  Number.MAX_VALUE,
  Number.MIN_VALUE,
];

/** A value to be made: fast-check itself looks at what it generates, and some of these do not bear it. */
export interface Hostile {
  readonly name: string;
  readonly make: () => unknown;
}

const makers: Readonly<Record<string, () => unknown>> = {
  untouchable,
  'a revoked object': () => revoked({}),
  'a revoked array': () => revoked([]),
  circular,
  'a frozen object': () => Object.freeze({ timestamp: 1, type: 'queued', numPromptTokens: 3 }),
  'a frozen array': () => Object.freeze([1, 2, 3]),
  'an object without a prototype': () => Object.create(null),
  'an object that has no text': () => ({ valueOf: refuse, toString: refuse }),
  'an object that is no primitive': () => ({ [Symbol.toPrimitive]: refuse }),
  'a symbol': () => Symbol('a symbol'),
  'a bigint': () => 5n,
  'a function that throws': () => refuse,
  'an invalid date': () => new Date(Number.NaN),
  'a map': () => new Map([['a', 1]]),
  'a typed array': () => new Uint32Array(3),
  'a DataView': () => new DataView(new ArrayBuffer(4)),
  'an array of holes': () => new Array(5),
  'a huge array': () => Array.from({ length: 100_000 }, () => 1),
  'a mixed array': () => [undefined, null, Number.NaN, 'x', {}, []],
};

const plain = (value: unknown): Hostile => ({ name: fc.stringify(value), make: () => value });

/** Only for lists that are counted, not read: whoever reads one of these reads for ever. */
export const lyingList: Arbitrary<Hostile> = fc
  .tuple(
    fc.constantFrom(arrayOfLength, viewOfLength),
    fc.constantFrom<unknown>(...figures, '5', undefined, 7n),
  )
  .map(([make, length]) => ({ name: `${make.name}(${String(length)})`, make: () => make(length) }));

const words = [
  '',
  '5',
  'NaN',
  'stop',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'STOP',
  ' queued',
  '\u0000',
  '\ud800',
];

export const hostile: Arbitrary<Hostile> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...figures).map(plain) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(...Object.entries(makers)).map(([name, make]) => ({ name, make })),
  },
  { weight: 2, arbitrary: fc.constantFrom<unknown>(undefined, null, true, false, ...words).map(plain) },
  {
    weight: 2,
    arbitrary: fc
      .anything({ withBigInt: true, withDate: true, withNullPrototype: true, withSparseArray: true })
      .map(plain),
  },
);

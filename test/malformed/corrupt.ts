/** Well-formed objects with a few fields made otherwise. */
import fc, { type Arbitrary } from 'fast-check';
import { type Hostile, hostile, lyingList } from './hostile.js';

/** One change: `path` names the field, with dots. */
export interface Edit {
  readonly path: string;
  readonly kind: 'set' | 'delete' | 'throwing getter' | 'freeze';
  readonly value: Hostile;
}

/** Random changes of the fields given. */
export function edits(paths: readonly string[]): Arbitrary<Edit[]> {
  const edit = fc.constantFrom(...paths).chain((path) =>
    fc.record({
      path: fc.constant(path),
      kind: fc.constantFrom<Edit['kind']>('set', 'set', 'set', 'set', 'delete', 'throwing getter', 'freeze'),
      value: path.endsWith('newTokenIds') ? fc.oneof(hostile, lyingList) : hostile,
    }),
  );
  return fc.array(edit, { minLength: 1, maxLength: 3 });
}

function fieldOf(object: unknown, key: string): unknown {
  try {
    return (object as Record<string, unknown>)[key];
  } catch {
    return undefined;
  }
}

function apply(parent: object, key: string, { kind, value }: Edit): void {
  if (kind === 'freeze') Object.freeze(parent);
  else if (kind === 'delete') Reflect.deleteProperty(parent, key);
  else if (kind === 'set')
    Reflect.defineProperty(parent, key, {
      value: value.make(),
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else Reflect.defineProperty(parent, key, { get: throwing, enumerable: true, configurable: true });
}

function throwing(): never {
  throw new Error('a getter');
}

/** Changes `object` itself; a change whose place is gone is none. */
export function corrupt<T extends object>(object: T, changes: readonly Edit[]): T {
  for (const change of changes) {
    const keys = change.path.split('.');
    const last = keys.pop()!;
    const parent = keys.reduce<unknown>(fieldOf, object);
    if (typeof parent !== 'object' || parent === null) continue;
    try {
      apply(parent, last, change);
    } catch {
      // an untouchable parent
    }
  }
  return object;
}

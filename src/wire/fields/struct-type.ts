import { type FieldType, refuse } from './field-type.js';
import { type Field, type Fields, readKeys, writeKeys } from './struct.js';

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A struct that travels as a map, as a field of another. */
export function structType(struct: readonly Field[]): FieldType {
  return {
    fits: isObject,
    check(value, path) {
      if (!isObject(value)) refuse(path, 'an object', value);
    },
    write(writer, value, path) {
      writeKeys(writer, struct, value as Fields, path); // `check` came first
    },
    read: (value) => (isObject(value) ? readKeys(struct, value) : undefined),
  };
}

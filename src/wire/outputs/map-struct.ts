/**
 * The maps inside an engine's message, as data: one table for writing and for reading.
 * A new field of upstream's is a new row.
 */

/** How a field travels. A number may be spelled as an integer or a float everywhere. */
export type FieldKind =
  /** A whole number. */
  | 'count'
  /** Any number. */
  | 'float'
  | 'flag'
  | 'text'
  /** A list of whole numbers. */
  | 'counts'
  /** A list of any numbers. */
  | 'floats'
  /** A map from names, which are data, to whole numbers. */
  | 'tally'
  /** A map whose keys are data. */
  | 'map'
  /** A KV connector's payload. */
  | 'connector'
  | 'opaque'
  | 'event type'
  /** A map with known keys. */
  | MapStruct
  /** A list of those. */
  | readonly [MapStruct];

/** One key of a map. */
export interface MapField {
  /** Our name. */
  readonly name: string;
  /** The wire's. */
  readonly key: string;
  readonly kind: FieldKind;
  /** Not written while it is absent: older readers do not know it. */
  readonly isNewer?: boolean;
}

/** A map with known keys. */
export interface MapStruct {
  readonly fields: readonly MapField[];
  /** An object with every field at its wire default, undefined for nil: of one hidden class whatever arrives. */
  create(): Record<string, unknown>;
}

function snakeOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A row whose wire name is ours in snake_case, as all are in these maps. */
export function row(name: string, kind: FieldKind): MapField {
  return { name, key: snakeOf(name), kind };
}

/** The same for a field that releases before 0.32.0 do not have. */
export function newerRow(name: string, kind: FieldKind): MapField {
  return { name, key: snakeOf(name), kind, isNewer: true };
}

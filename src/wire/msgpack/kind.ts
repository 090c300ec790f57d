/** What a value is, by its head. */
export const NIL = 0;
export const BOOLEAN = 1;
export const INTEGER = 2;
export const FLOAT = 3;
export const TEXT = 4;
export const BINARY = 5;
export const EXTENSION = 6;
export const ARRAY = 7;
export const MAP = 8;

/** The kinds above. */
export type Kind = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

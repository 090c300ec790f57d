/** A field that an engine may leave out or send as nil. */
export type Optional<T> = T | null | undefined;

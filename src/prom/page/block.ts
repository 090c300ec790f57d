import type { Edits } from './line-table.js';

/** Whole lines that stand together on a page. */
export interface Block {
  /** Where it stands in the page's memory; -1 while it does not. */
  at: number;
  /** How many bytes it is to have, or at most until it is settled for the first time. */
  readonly length: number;
  /** True if a character of it takes more than one byte. */
  readonly wide: boolean;
  /** True while the page's memory holds exactly this block. */
  readonly settled: boolean;
  /** Brings it up to date, in `page` where lengths allow, and returns whether anything moved. */
  refresh(page: Uint8Array, edits: Edits): boolean;
  /** Writes it at `at` of `target`; `page` holds what stood at the old place. */
  settle(page: Uint8Array, target: Uint8Array, at: number, edits: Edits): void;
}

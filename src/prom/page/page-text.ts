import { readText } from '../text/bytes.js';
import type { Page } from './page.js';
import type { Slices } from './slices.js';

/** A page up to this size becomes a string in one go, some 0.5 ms; a larger one from pieces. */
const ONE_GO = 1 << 22;
/**
 * Node keeps strings of a good 1 MB and more outside of V8's heap, which frees them while nothing else runs: 16 of
 * them took 2–4 ms of each scrape's garbage collection at 512 engines (`--trace-gc-nvp`: `clear.external_string_table`).
 */
const PIECE = 1 << 17;

/** The page as a string, the same one as long as nothing moves. */
export async function textOf(page: Page, slices: Slices): Promise<string> {
  if (page.text !== undefined) return page.text;
  const { bytes, length } = page.memory;
  const piece = length <= ONE_GO ? ONE_GO : PIECE;
  let text = '';
  let start = page.memory.start;
  let end = start;
  let wide = false;
  for (const block of page.blocks) {
    end += block.length;
    wide ||= block.wide;
    if (end - start < piece) continue;
    text += readText(bytes, start, end, wide);
    start = end;
    wide = false;
    if (slices.due()) await slices.next();
  }
  page.text = text + readText(bytes, start, end, wide);
  return page.text;
}

/** At most so many bytes are in a chunk. */
const CHUNK = 256_000;

/** The page as chunks of bytes that nobody else has. */
export async function chunksOf({ memory }: Page, slices: Slices): Promise<Uint8Array[]> {
  const chunks: Uint8Array[] = [];
  const end = memory.start + memory.length;
  for (let at = memory.start; at < end; at += CHUNK) {
    chunks.push(new Uint8Array(memory.bytes.subarray(at, Math.min(at + CHUNK, end))));
    if (slices.due()) await slices.next();
  }
  return chunks;
}

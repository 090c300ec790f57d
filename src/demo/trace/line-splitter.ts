/** Longer than any line of a trace: 10 million tokens of prompt are 20,000 hashes of 512 tokens, 200 kB of text. */
export const MAX_LINE_LENGTH: number = 2 ** 20;

/** Cuts text that comes in pieces into lines, without what ends them; blank ones at the end are none. */
export class LineSplitter {
  #rest = '';
  /** The first of the blank lines that came last: they count only if another line follows. */
  #blank: string | undefined = undefined;

  /** The lines that `text` completes. @throws {RangeError} for one that is longer than {@link MAX_LINE_LENGTH}. */
  push(text: string): string[] {
    const parts = (this.#rest + text).split('\n');
    this.#rest = parts.pop()!; // `split` gives one at least
    const lines: string[] = [];
    for (const part of parts) this.#add(part.endsWith('\r') ? part.slice(0, -1) : part, lines);
    checkLength(this.#rest);
    return lines;
  }

  /** The line that nothing has ended. */
  end(): string[] {
    const lines: string[] = [];
    this.#add(this.#rest, lines);
    this.#rest = '';
    return lines;
  }

  #add(line: string, lines: string[]): void {
    checkLength(line);
    if (line.trim() === '') this.#blank ??= line;
    else if (this.#blank === undefined) lines.push(line);
    else {
      lines.push(this.#blank, line);
      this.#blank = undefined;
    }
  }
}

function checkLength({ length }: string): void {
  if (length > MAX_LINE_LENGTH) throw new RangeError('line too long');
}

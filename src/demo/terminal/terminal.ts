/** Where text goes: `process.stdout`, or a stand-in. */
export interface TextStream {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

const CLEAR_LINE = '\r\u001b[K';
/** For a terminal that does not know its width, or says 0. */
const DEFAULT_COLUMNS = 80;

/** Lines, and below them, on a terminal, one that is rewritten in place. */
export class Terminal {
  readonly #stream: TextStream;
  #progress = '';

  constructor(stream: TextStream) {
    this.#stream = stream;
  }

  get isTTY(): boolean {
    return this.#stream.isTTY === true;
  }

  /** Characters of a line; without a bound off a terminal. */
  get width(): number {
    return this.isTTY ? this.#stream.columns || DEFAULT_COLUMNS : Infinity;
  }

  print(lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join('');
    this.#stream.write(this.#progress === '' ? text : CLEAR_LINE + text + this.#progress);
  }

  /** Replaces the progress line; off a terminal it is a line as any other. */
  progress(line: string): void {
    if (!this.isTTY) {
      this.print([line]);
      return;
    }
    this.#progress = line.slice(0, this.width - 1);
    this.#stream.write(CLEAR_LINE + this.#progress);
  }

  /** Takes the progress line away. */
  clear(): void {
    if (this.#progress !== '') this.#stream.write(CLEAR_LINE);
    this.#progress = '';
  }
}

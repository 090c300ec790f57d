/**
 * Values as Python's `str` and `repr` print them, which is what vLLM puts into the labels of `cache_config_info`.
 * @see vllm/v1/metrics/loggers.py `log_metrics_info`
 */

/** Characters of a label's value: a configuration must not carry megabytes onto the page. */
export const LONGEST_TEXT = 1024;

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** What `repr` does not print as it is: control and format characters, separators other than the space. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

function escapedCode(char: string): string {
  const code = char.codePointAt(0)!;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${code.toString(16).padStart(4, '0')}`;
  return `\\U${code.toString(16).padStart(8, '0')}`;
}

/** A text in quotes: single ones, unless it has some and no double ones. */
function quoted(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replace(/[\\\n\r\t]/g, (char) => ESCAPES[char]!).replaceAll(quote, `\\${quote}`);
  return quote + escaped.replace(UNPRINTABLE, escapedCode) + quote;
}

/** Not as on the page: Python's `str` has no exponent up to 1e16, the page from 1e6 on. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0 || Math.abs(value) >= 1e-4) return String(value);
  return value.toExponential().replace(/e-(\d)$/, 'e-0$1');
}

/** What has neither parts nor quotes; undefined for all else. */
function plainText(value: unknown): string | undefined {
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'number') return numberText(value);
  return typeof value === 'bigint' ? String(value) : undefined;
}

function isPlainObject(value: object): value is Readonly<Record<string, unknown>> {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

/** A list or an object in Python's spelling, written until it is long enough to be cut: a value may contain itself. */
class Repr {
  text = '';

  /** @throws {TypeError} at a value that has no such form. */
  write(value: unknown): void {
    if (this.text.length > LONGEST_TEXT) return;
    const plain = plainText(value);
    if (plain !== undefined) this.text += plain;
    else if (typeof value === 'string') this.text += quoted(value.slice(0, LONGEST_TEXT + 1).toWellFormed());
    else if (Array.isArray(value)) this.#writeList(value);
    else if (typeof value === 'object' && value !== null && isPlainObject(value)) this.#writeDict(value);
    else throw new TypeError('no form in Python');
  }

  #writeList(list: readonly unknown[]): void {
    this.text += '[';
    for (let i = 0; i < list.length && this.text.length <= LONGEST_TEXT; i++) {
      if (i > 0) this.text += ', ';
      this.write(list[i]);
    }
    this.text += ']';
  }

  #writeDict(dict: Readonly<Record<string, unknown>>): void {
    this.text += '{';
    let isFirst = true;
    for (const key of Object.keys(dict)) {
      if (this.text.length > LONGEST_TEXT) break;
      if (!isFirst) this.text += ', ';
      isFirst = false;
      this.write(key);
      this.text += ': ';
      this.write(dict[key]);
    }
    this.text += '}';
  }
}

/**
 * A value as Python's `str` prints it: texts as they are, lists and objects as their `repr`. It may be a little
 * longer than {@link LONGEST_TEXT}, which tells that it is to be cut.
 * @throws {TypeError} if it has no such form: a function, an instance of a class. What a getter in it throws.
 */
export function pythonText(value: unknown): string {
  if (typeof value === 'string') return value;
  const repr = new Repr();
  repr.write(value);
  return repr.text;
}

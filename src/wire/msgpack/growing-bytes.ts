/** A buffer that grows at its end. */
export class GrowingBytes {
  #bytes: Uint8Array<ArrayBuffer> = new Uint8Array(256);
  #view: DataView = new DataView(this.#bytes.buffer);
  #length = 0;

  /** What was written; a copy as long as it is. */
  copy(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length);
  }

  byte(value: number): void {
    this.#room(1);
    this.#bytes[this.#length++] = value;
  }

  /** A head byte and 8, 16 or 32 bits of an integer, negative ones as their complement. */
  byte8(head: number, value: number): void {
    const at = this.#after(head, 1);
    this.#bytes[at] = value;
  }

  byte16(head: number, value: number): void {
    const at = this.#after(head, 2);
    this.#view.setUint16(at, value);
  }

  byte32(head: number, value: number): void {
    const at = this.#after(head, 4);
    this.#view.setUint32(at, value);
  }

  byte64(head: number, value: bigint): void {
    const at = this.#after(head, 8);
    this.#view.setBigUint64(at, value);
  }

  float32(head: number, value: number): void {
    const at = this.#after(head, 4);
    this.#view.setFloat32(at, value);
  }

  float64(head: number, value: number): void {
    const at = this.#after(head, 8);
    this.#view.setFloat64(at, value);
  }

  append(bytes: Uint8Array): void {
    this.#room(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** A head byte and the text, one byte a character; false, with nothing written, if it is not ASCII. */
  ascii(head: number, text: string): boolean {
    const at = this.#after(head, text.length);
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code >= 0x80) {
        this.#length = at - 1;
        return false;
      }
      this.#bytes[at + i] = code;
    }
    return true;
  }

  /** Writes a byte, makes room for `more` after it, and returns where those start. */
  #after(head: number, more: number): number {
    this.#room(more + 1);
    this.#bytes[this.#length] = head;
    const at = this.#length + 1;
    this.#length = at + more;
    return at;
  }

  #room(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
    this.#view = new DataView(grown.buffer);
  }
}

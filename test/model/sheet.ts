/** Where the rules write: a page of one model, however much of it is kept. Names are without `vllm:`. */
export type Extra = Readonly<Record<string, string>>;

export interface Sheet {
  add(name: string, engine: number, n: number, extra?: Extra): void;
  set(name: string, engine: number, value: number, extra?: Extra): void;
  /** What was set last; 0 before. */
  gauge(name: string, engine: number, extra?: Extra): number;
  observe(name: string, engine: number, value: number): void;
  inFlight(engine: number, by: number): void;
  /** A value that is not what it should be, by the source of its diagnostic. */
  odd(source: string): void;
}

/** Keeps nothing. */
export class SilentSheet implements Sheet {
  add(_name: string, _engine: number, _n: number, _extra?: Extra): void {}

  set(_name: string, _engine: number, _value: number, _extra?: Extra): void {}

  gauge(_name: string, _engine: number, _extra?: Extra): number {
    return 0;
  }

  observe(_name: string, _engine: number, _value: number): void {}

  inFlight(_engine: number, _by: number): void {}

  odd(_source: string): void {}
}

/** Of a request whose instance was disposed: nothing of it is on the page any more. */
export const NOWHERE: Sheet = new SilentSheet();

import { assertMember, assertObject, positiveNumber, printed, wholeNumber } from '../serving/checks.js';
import type { OnDiagnostic } from './socket-diagnostic.js';

/** What is used of an `AbortSignal`; by shape, as that type is not everywhere. */
export interface StopSignal {
  readonly aborted: boolean;
  readonly reason?: unknown;
  addEventListener(type: 'abort', listener: () => void): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Options of `connectEngines`. */
export interface ConnectEnginesOptions {
  /** The address that engines are started with, to bind: `tcp://host:port` or `ipc://path`. */
  readonly handshake: string;
  /** A number N for engines 0 to N-1, or their indexes. */
  readonly engines: number | readonly number[];
  /** What engines are told to connect to; `127.0.0.1` by default. */
  readonly host?: string | undefined;
  /** An address to bind for requests; a free port by default. */
  readonly input?: string | undefined;
  /**
   * An address to bind for outputs; by default a free port for each engine. On one address for all of them a closed
   * connection does not say whose it was: engines are then asked, which takes 2 s.
   */
  readonly output?: string | undefined;
  /** Milliseconds; 30,000 by default. */
  readonly readyTimeoutMs?: number | undefined;
  /** Milliseconds of silence after which an engine is asked whether it lives; without it silence is never a loss. */
  readonly heartbeatMs?: number | undefined;
  /** A larger message closes its engine's connection; 256 MiB by default. */
  readonly maxMessageBytes?: number | undefined;
  /** Called with what was skipped or left out; what it throws is ignored. */
  readonly onDiagnostic?: OnDiagnostic | undefined;
  /** Gives up waiting for engines. */
  readonly signal?: StopSignal | undefined;
}

/** Options that have been checked. */
export interface ConnectSettings {
  readonly handshake: string;
  readonly engines: readonly number[];
  readonly host: string;
  readonly input: string | undefined;
  readonly output: string | undefined;
  readonly readyTimeoutMs: number;
  readonly heartbeatMs: number | undefined;
  readonly maxMessageBytes: number;
  readonly onDiagnostic: OnDiagnostic | undefined;
  readonly signal: StopSignal | undefined;
}

const MOST_ENGINES = 65_536;
const DEFAULT_READY_MS = 30_000;
const DEFAULT_MESSAGE_BYTES = 256 * 1024 * 1024;

/** The indexes that `engines` stands for. @throws {TypeError | RangeError} unless distinct, and at least one. */
export function engineIndexes(engines: unknown): readonly number[] {
  if (!Array.isArray(engines)) {
    const count = wholeNumber('engines', engines, 1);
    if (count > MOST_ENGINES) throw new RangeError(`engines: expected at most ${MOST_ENGINES}, got ${count}`);
    return Array.from({ length: count }, (_, index) => index);
  }
  const indexes = engines.map((index) => wholeNumber('engines', index));
  const areGood = indexes.length > 0 && indexes.every((index) => index < MOST_ENGINES);
  if (areGood && new Set(indexes).size === indexes.length) return indexes;
  throw new RangeError(
    `engines: expected at least one index below ${MOST_ENGINES}, each once, got [${printed(engines)}]`,
  );
}

/** libzmq takes a greater one modulo 65,536, and then listens where no engine looks. */
const MAX_PORT = 65_535;

function isEndpoint(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const [, port] = /^tcp:\/\/.+:(\*|\d{1,5})$/.exec(value) ?? [];
  return port === undefined ? /^ipc:\/\/./.test(value) : port === '*' || Number(port) <= MAX_PORT;
}

/** @throws {TypeError} unless it is an address that zeromq knows. */
export function assertEndpoint(subject: string, value: unknown): asserts value is string {
  assertMember(subject, value, 'tcp://host:port or ipc://path', isEndpoint(value));
}

function optional<T>(value: T | undefined, check: (value: T) => void): T | undefined {
  if (value !== undefined) check(value);
  return value;
}

/** @throws {TypeError | RangeError} naming the option. */
export function connectSettings(options: ConnectEnginesOptions): ConnectSettings {
  assertObject('connectEngines', options);
  const {
    handshake,
    engines,
    host = '127.0.0.1',
    input,
    output,
    heartbeatMs,
    onDiagnostic,
    signal,
  } = options;
  assertEndpoint('handshake', handshake);
  assertMember('host', host, 'a host name or address', typeof host === 'string' && host !== '');
  if (onDiagnostic !== undefined)
    assertMember('onDiagnostic', onDiagnostic, 'a function', typeof onDiagnostic === 'function');
  if (signal !== undefined)
    assertMember('signal', signal, 'an AbortSignal', typeof signal?.addEventListener === 'function');
  return {
    handshake,
    engines: engineIndexes(engines),
    host,
    input: optional(input, (value) => assertEndpoint('input', value)),
    output: optional(output, (value) => assertEndpoint('output', value)),
    readyTimeoutMs: positiveNumber('readyTimeoutMs', options.readyTimeoutMs ?? DEFAULT_READY_MS),
    heartbeatMs: optional(heartbeatMs, (value) => positiveNumber('heartbeatMs', value)),
    maxMessageBytes: wholeNumber('maxMessageBytes', options.maxMessageBytes ?? DEFAULT_MESSAGE_BYTES, 1),
    onDiagnostic,
    signal,
  };
}

/** The options as one table: the parser, the checks and the help are made of it. */
import { above0, address, MAX_PORT, oneOf, type ReadValue, share, text, whole } from './option-values.js';
import type { DemoOptions } from './options.js';

/** An option with a value, or a switch. */
export interface OptionRow<T> {
  readonly name: string;
  /** What stands for the value in the help; without one it is a switch. */
  readonly hint?: string;
  readonly help: string;
  /** The default in words, where the value alone says too little. */
  readonly shown?: string;
  readonly fallback: T;
  readonly read: ReadValue<T>;
  readonly short?: string;
}

/** Simulated engines are cheap, the page is not: 500 lines an engine. */
const MAX_ENGINES = 1024;
/** Far beyond what a processor keeps up with. */
const MAX_SPEED = 100_000;
/** A day. */
const MAX_WAIT_S = 86_400;
const MAX_SPEC_TOKENS = 16;
const MAX_ADAPTERS = 64;

function valued<T>(
  name: string,
  hint: string,
  fallback: T,
  read: ReadValue<T>,
  help: string,
  shown?: string,
): OptionRow<T> {
  return { name, hint, fallback, read, help, ...(shown !== undefined && { shown }) };
}

function flag(name: string, help: string, short?: string): OptionRow<boolean> {
  return { name, help, fallback: false, read: () => true, ...(short !== undefined && { short }) };
}

const kind = oneOf(['nixl', 'mooncake', 'multi'] as const);

// biome-ignore format: a table
export const OPTION_ROWS: { readonly [K in keyof DemoOptions]: OptionRow<DemoOptions[K]> } = {
  trace: valued('trace', 'FILE', undefined, text, "Azure's CSV or Mooncake's JSON lines, gzipped or not", "Azure's conversation trace"),
  engines: valued('engines', 'N', 2, whole(1, MAX_ENGINES), 'engines, simulated ones or those of --handshake'),
  handshake: valued('handshake', 'ADDRESS', undefined, address, 'wait there for engines of other processes (npm run engines, vLLM)', 'built-in engines'),
  readyTimeout: valued('ready-timeout', 'S', 600, above0(MAX_WAIT_S), 'seconds to wait for the engines of --handshake'),
  load: valued('load', 'WHAT', 'trace', oneOf(['trace', 'off'] as const), 'who asks beside your own clients: trace or off'),
  maxQueue: valued('max-queue', 'N', 256, whole(1), 'waiting requests beyond which a new one is turned away'),
  speed: valued('speed', 'X', 1, above0(MAX_SPEED), 'trace seconds replayed a second; not with --once on built-in engines'),
  host: valued('host', 'ADDRESS', '127.0.0.1', text, 'where the server listens'),
  port: valued('port', 'P', 8000, whole(0, MAX_PORT), 'its port; 0 takes any free one'),
  seed: valued('seed', 'S', 1, whole(Number.MIN_SAFE_INTEGER), 'of all chance; the same seed gives the same figures'),
  abortRate: valued('abort-rate', 'F', 0.05, share, 'share of requests whose clients leave early'),
  errorRate: valued('error-rate', 'F', 0.01, share, 'share of requests that end in an engine error'),
  once: flag('once', 'replay the trace once without a server: in virtual time, or at --speed on engines of --handshake'),
  out: valued('out', 'FILE', undefined, text, 'write the exposition there at the end', 'not written'),
  kvBlocks: valued('kv-blocks', 'N', undefined, whole(1), 'KV blocks of an engine', 'by the trace'),
  kvResidency: valued('kv-residency', 'F', 0.01, share, 'share of cached KV blocks whose life is reported'),
  specTokens: valued('spec-tokens', 'N', 0, whole(0, MAX_SPEC_TOKENS), 'tokens drafted by speculative decoding; 0 is off'),
  lora: valued('lora', 'N', 0, whole(0, MAX_ADAPTERS), 'LoRA adapters that half of the requests use; 0 is off'),
  connector: valued('connector', 'KIND', undefined, kind, 'KV connector: nixl, mooncake or multi', 'none'),
  mmCache: flag('mm-cache', 'half of the requests bring images, looked up in the multimodal cache'),
  mfu: flag('mfu', 'estimate FLOPs and memory traffic'),
  help: flag('help', 'show this', 'h'),
};

export function rows(): readonly OptionRow<unknown>[] {
  return Object.values(OPTION_ROWS);
}

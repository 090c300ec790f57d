import { parseArgs } from 'node:util';
import { address } from '../command/option-values.js';
import { UsageError } from '../command/usage-error.js';

export const HELP = `Simulated vLLM engine cores for a frontend that speaks ZeroMQ.

Usage: npm run engines -- [options]

  --handshake ADDRESS  where the frontend listens (default: tcp://127.0.0.1:29550)
  --engines N          engines 0 to N - 1 (default: 2)
  --index I            one engine, of this index, instead
  --seed S             of all chance (default: 1)
  --abort-reply KIND   final-output, as upstream's mock engine, or silent, as Python's (default: final-output)
  --fields WHICH       all, or short, as older engines did (default: all)
  --step-ms X          length of an engine's step (default: 6)
  -h, --help           show this

Commands on standard input: kill I, start I, die I (ENGINE_CORE_DEAD), malformed I, raw I BASE64, exit (at once).`;

export interface EngineProcessOptions {
  readonly handshake: string;
  readonly indexes: readonly number[];
  readonly seed: number;
  readonly abortReply: 'final-output' | 'silent';
  readonly fields: 'all' | 'short';
  /** Milliseconds. */
  readonly stepMs: number;
}

const OPTIONS = {
  handshake: { type: 'string', default: 'tcp://127.0.0.1:29550' },
  engines: { type: 'string', default: '2' },
  index: { type: 'string' },
  seed: { type: 'string', default: '1' },
  'abort-reply': { type: 'string', default: 'final-output' },
  fields: { type: 'string', default: 'all' },
  'step-ms': { type: 'string', default: '6' },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

function number(name: string, text: string, least: number, isWhole: boolean): number {
  const value = Number(text);
  if (text.trim() !== '' && value >= least && value <= 1e9 && (!isWhole || Number.isInteger(value)))
    return value;
  throw new UsageError(`--${name}`, `${isWhole ? 'a whole number' : 'a number'} of at least ${least}`, text);
}

function choice<T extends string>(name: string, text: string, allowed: readonly T[]): T {
  const found = allowed.find((each) => each === text);
  if (found !== undefined) return found;
  throw new UsageError(`--${name}`, `one of ${allowed.join(', ')}`, text);
}

function valuesOf(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS }).values;
  } catch (error) {
    throw new UsageError('options', 'those that --help lists', (error as Error).message);
  }
}

/** Undefined if help was asked for. @throws {UsageError} */
export function parseEngineOptions(args: readonly string[]): EngineProcessOptions | undefined {
  const values = valuesOf(args);
  if (values.help) return undefined;
  const { index, engines } = values;
  const count = number('engines', engines, 1, true);
  return {
    handshake: address('--handshake', values.handshake),
    indexes:
      index === undefined ? Array.from({ length: count }, (_, i) => i) : [number('index', index, 0, true)],
    seed: number('seed', values.seed, 0, true),
    abortReply: choice('abort-reply', values['abort-reply'], ['final-output', 'silent']),
    fields: choice('fields', values.fields, ['all', 'short']),
    stepMs: number('step-ms', values['step-ms'], 0.01, false),
  };
}

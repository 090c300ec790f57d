import { parseArgs } from 'node:util';
import { OPTION_ROWS, rows } from './option-rows.js';
import type { DemoOptions } from './options.js';
import { codeOf, quoted, UsageError } from './usage-error.js';

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** `--port` of `--port=8000`; undefined for what is no option. */
function nameIn(message: string): string {
  return /'(-[^' =]*)/.exec(message)?.[1] ?? 'options';
}

/** What `parseArgs` says takes two sentences and advice that does not fit. */
function usageError(error: unknown): unknown {
  const message = error instanceof Error ? error.message : String(error);
  switch (codeOf(error)) {
    case 'ERR_PARSE_ARGS_UNKNOWN_OPTION':
      return new UsageError(nameIn(message), 'one of the options that --help lists', 'an unknown one');
    case 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL':
      return new UsageError(
        'options',
        'options that begin with --',
        quoted(/'([^']*)'/.exec(message)?.[1] ?? ''),
      );
    case 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE':
      return message.includes('does not take')
        ? new UsageError(longName(message), 'no value', 'one')
        : new UsageError(longName(message), 'a value (one that begins with - as --name=-1)', 'none');
    default:
      return error;
  }
}

/** `--help` of `'-h, --help'`. */
function longName(message: string): string {
  return /--[a-z-]+/.exec(message)?.[0] ?? nameIn(message);
}

function valuesOf(args: readonly string[]): Values {
  const options = Object.fromEntries(
    rows().map(({ name, hint, short }) => [
      name,
      { type: hint === undefined ? ('boolean' as const) : ('string' as const), ...(short && { short }) },
    ]),
  );
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as Values;
  } catch (error) {
    throw usageError(error);
  }
}

function optionValue<K extends keyof DemoOptions>(key: K, values: Values): DemoOptions[K] {
  const row = OPTION_ROWS[key];
  const value = values[row.name];
  return value === undefined ? row.fallback : row.read(`--${row.name}`, String(value));
}

/** What engines are like: others than the built-in ones have been told by whoever started them. */
const BUILT_IN_ONLY = [
  'errorRate',
  'kvBlocks',
  'kvResidency',
  'specTokens',
  'lora',
  'connector',
  'mmCache',
  'mfu',
] as const satisfies readonly (keyof DemoOptions)[];

/** @throws {UsageError} for an option that has no meaning beside the others. */
function assertTogether(values: Values): void {
  const { handshake } = values;
  const given = (key: keyof DemoOptions) => values[OPTION_ROWS[key].name] !== undefined;
  if (handshake === undefined) {
    if (given('readyTimeout')) throw new UsageError('--ready-timeout', '--handshake beside it', 'none');
    return;
  }
  const odd = BUILT_IN_ONLY.find(given);
  if (odd !== undefined)
    throw new UsageError(`--${OPTION_ROWS[odd].name}`, 'built-in engines', `--handshake ${handshake}`);
  if (values['once'] && values['load'] === 'off')
    throw new UsageError('--once', '--load trace', '--load off');
}

/** Reads the command line. @throws {UsageError} for an unknown option, a value that does not hold, or options at odds. */
export function parseOptions(args: readonly string[]): DemoOptions {
  const values = valuesOf(args);
  const keys = Object.keys(OPTION_ROWS) as (keyof DemoOptions)[];
  // One value a key, each read by the key's own row.
  const entries = keys.map((key) => [key, optionValue(key, values)]);
  assertTogether(values);
  return Object.fromEntries(entries) as unknown as DemoOptions;
}

import { expect, it } from 'vitest';
import { helpLines } from '../../../src/demo/command/help.js';
import { OPTION_ROWS, rows } from '../../../src/demo/command/option-rows.js';
import type { DemoOptions } from '../../../src/demo/command/options.js';
import { parseOptions } from '../../../src/demo/command/parse-options.js';
import { UsageError } from '../../../src/demo/command/usage-error.js';

const HANDSHAKE = 'tcp://127.0.0.1:65535';

it('has a default for everything, and listens on loopback only', () => {
  expect(parseOptions([])).toEqual({
    trace: undefined,
    engines: 2,
    load: 'trace',
    maxQueue: 256,
    speed: 1,
    host: '127.0.0.1',
    port: 8000,
    seed: 1,
    abortRate: 0.05,
    errorRate: 0.01,
    handshake: undefined,
    readyTimeout: 600,
    once: false,
    out: undefined,
    kvBlocks: undefined,
    kvResidency: 0.01,
    specTokens: 0,
    lora: 0,
    connector: undefined,
    mmCache: false,
    mfu: false,
    help: false,
  });
});

it.each<[string[], Partial<DemoOptions>]>([
  [['--trace', 'x.csv', '--out=y'], { trace: 'x.csv', out: 'y' }],
  [['--handshake', HANDSHAKE], { handshake: HANDSHAKE }],
  [
    ['--handshake=ipc:///tmp/engines', '--ready-timeout=0.5'],
    { handshake: 'ipc:///tmp/engines', readyTimeout: 0.5 },
  ],
  [['--engines', '3'], { engines: 3 }],
  [['--speed', '2.5e2'], { speed: 250 }],
  [['--speed', '.5'], { speed: 0.5 }],
  [['--port', '0', '--host', '::1'], { port: 0, host: '::1' }],
  [['--seed=-5'], { seed: -5 }],
  [['--abort-rate', '0', '--error-rate', '1'], { abortRate: 0, errorRate: 1 }],
  [['--once', '--mm-cache', '--mfu'], { once: true, mmCache: true, mfu: true }],
  [['--spec-tokens', '3', '--lora', '4', '--kv-blocks', '100'], { specTokens: 3, lora: 4, kvBlocks: 100 }],
  [['--connector', 'multi', '--kv-residency', '0.5'], { connector: 'multi', kvResidency: 0.5 }],
  [['--port', '1', '--port', '2'], { port: 2 }],
  [['--load', 'off', '--max-queue', '9'], { load: 'off', maxQueue: 9 }],
  [['-h'], { help: true }],
])('reads %s', (args, expected) => {
  expect(parseOptions(args)).toMatchObject(expected);
});

it.each([
  [['--nope'], '--nope: expected one of the options that --help lists, got an unknown one'],
  [['--nope=3'], '--nope: expected one of the options that --help lists, got an unknown one'],
  [['-x'], '-x: expected one of the options that --help lists, got an unknown one'],
  [['run'], 'options: expected options that begin with --, got "run"'],
  [['--port'], '--port: expected a value (one that begins with - as --name=-1), got none'],
  [['--seed', '-5'], '--seed: expected a value (one that begins with - as --name=-1), got none'],
  [['--once=yes'], '--once: expected no value, got one'],
  [['--help=1'], '--help: expected no value, got one'],
  [['--trace='], '--trace: expected a value, got none'],
  [['--engines', '0'], '--engines: expected a whole number from 1 to 1024, got "0"'],
  [['--engines', '1.5'], '--engines: expected a whole number from 1 to 1024, got "1.5"'],
  [['--port', '65536'], '--port: expected a whole number from 0 to 65535, got "65536"'],
  [['--port='], '--port: expected a whole number from 0 to 65535, got ""'],
  [['--port', '0x10'], '--port: expected a whole number from 0 to 65535, got "0x10"'],
  [['--speed', '0'], '--speed: expected a number above 0, at most 100000, got "0"'],
  [['--speed', 'Infinity'], '--speed: expected a number above 0, at most 100000, got "Infinity"'],
  [['--seed', '1.5'], '--seed: expected a whole number, got "1.5"'],
  [['--abort-rate', '1.1'], '--abort-rate: expected a number from 0 to 1, got "1.1"'],
  [['--error-rate', 'NaN'], '--error-rate: expected a number from 0 to 1, got "NaN"'],
  [['--kv-blocks', '0'], '--kv-blocks: expected a whole number of at least 1, got "0"'],
  [['--connector', 'tcp'], '--connector: expected one of nixl, mooncake, multi, got "tcp"'],
  ...[
    'tcp://127.0.0.1',
    'tcp://127.0.0.1:0',
    'tcp://127.0.0.1:*',
    'tcp://127.0.0.1:65536',
    'ipc://',
    'foo',
  ].map((value): [string[], string] => [
    ['--handshake', value],
    `--handshake: expected tcp://host:port or ipc://path, got "${value}"`,
  ]),
  [
    ['--handshake', HANDSHAKE, '--ready-timeout', '0'],
    '--ready-timeout: expected a number above 0, at most 86400, got "0"',
  ],
  [['--ready-timeout', '3'], '--ready-timeout: expected --handshake beside it, got none'],
  [
    ['--handshake', HANDSHAKE, '--lora', '3'],
    `--lora: expected built-in engines, got --handshake ${HANDSHAKE}`,
  ],
  [['--handshake', HANDSHAKE, '--mfu'], `--mfu: expected built-in engines, got --handshake ${HANDSHAKE}`],
  [['--handshake', HANDSHAKE, '--once', '--load', 'off'], '--once: expected --load trace, got --load off'],
])('refuses %s in one line', (args, message) => {
  expect(() => parseOptions(args)).toThrow(UsageError);
  expect(() => parseOptions(args)).toThrow(expect.objectContaining({ message }));
});

it('lists every option in the help, with its default', () => {
  const lines = helpLines();
  for (const { name, hint, fallback, shown } of rows()) {
    const line = lines.find((text) => text.includes(`--${name}${hint === undefined ? '' : ` ${hint}`}`));
    expect(line).toBeDefined();
    if (hint !== undefined) expect(line).toContain(`(default: ${shown ?? String(fallback)})`);
  }
  expect(OPTION_ROWS.port.name).toBe('port');
});

import { expect, it } from 'vitest';
import { UsageError } from '../../../src/demo/command/usage-error.js';
import { parseEngineOptions } from '../../../src/demo/engines/engine-options.js';

it('has two engines on the default address, or the one that --index names', () => {
  expect(parseEngineOptions([])).toMatchObject({ handshake: 'tcp://127.0.0.1:29550', indexes: [0, 1] });
  expect(parseEngineOptions(['--index', '3'])).toMatchObject({ indexes: [3] });
  expect(parseEngineOptions(['--help'])).toBeUndefined();
});

it.each([
  [['--handshake', 'foo'], '--handshake: expected tcp://host:port or ipc://path, got "foo"'],
  [
    ['--handshake', 'tcp://127.0.0.1:99999'],
    '--handshake: expected tcp://host:port or ipc://path, got "tcp://127.0.0.1:99999"',
  ],
  [['--engines', '0'], '--engines: expected a whole number of at least 1, got 0'],
  [['--abort-reply', 'loud'], '--abort-reply: expected one of final-output, silent, got loud'],
])('refuses %s in one line', (args, message) => {
  expect(() => parseEngineOptions(args)).toThrow(UsageError);
  expect(() => parseEngineOptions(args)).toThrow(expect.objectContaining({ message }));
});

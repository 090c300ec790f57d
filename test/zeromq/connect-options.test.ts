import { expect, it } from 'vitest';
import { connectSettings } from '../../src/zeromq/connect-options.js';

const GOOD = { handshake: 'tcp://127.0.0.1:29550', engines: 2 };

it.each([
  'tcp://127.0.0.1:29550',
  'tcp://*:29550',
  'tcp://[::1]:65535',
  'tcp://127.0.0.1:*',
  'tcp://127.0.0.1:0',
  'ipc:///tmp/engines',
])('takes %s as an address', (address) => {
  const addresses = { handshake: address, input: address, output: address };
  expect(connectSettings({ ...GOOD, ...addresses })).toMatchObject(addresses);
});

// A port above 65535 is the trap: libzmq binds it modulo 65,536, without an error.
it.each([
  'tcp://127.0.0.1:65536',
  'tcp://127.0.0.1:99999',
  'tcp://127.0.0.1',
  'tcp://127.0.0.1:-1',
  'tcp://:29550',
  'tcp://127.0.0.1:http',
  'ipc://',
  'ws://127.0.0.1:29550',
  '',
  29_550,
])('refuses %s as an address', (address) => {
  for (const option of ['handshake', 'input', 'output'])
    expect(() => connectSettings({ ...GOOD, [option]: address })).toThrow(
      new RegExp(`^${option}: expected tcp://host:port or ipc://path, got `),
    );
});

it.each([
  [{ engines: 0 }, /^engines: expected/],
  [{ engines: 65_537 }, /^engines: expected at most 65536, got 65537$/],
  [{ engines: [1, 1] }, /^engines: expected at least one index below 65536, each once/],
  [{ engines: [] }, /^engines: expected at least one index below 65536, each once/],
  [{ host: '' }, /^host: expected/],
  [{ readyTimeoutMs: 0 }, /^readyTimeoutMs: expected/],
  [{ heartbeatMs: Number.NaN }, /^heartbeatMs: expected/],
  [{ maxMessageBytes: 0 }, /^maxMessageBytes: expected/],
  [{ onDiagnostic: 'log' }, /^onDiagnostic: expected a function/],
  [{ signal: {} }, /^signal: expected an AbortSignal/],
])('refuses %j', (options, message) => {
  expect(() => connectSettings({ ...GOOD, ...options } as never)).toThrow(message);
});

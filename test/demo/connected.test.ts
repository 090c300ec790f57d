import { expect, it } from 'vitest';
import { parseOptions } from '../../src/demo/command/parse-options.js';
import { runConnected } from '../../src/demo/connected.js';
import { EXIT_INTERRUPTED } from '../../src/demo/exit-codes.js';
import { Terminal } from '../../src/demo/terminal/terminal.js';
import { readTrace } from '../../src/demo/trace/read-trace.js';
import { defaultTrace } from '../../src/demo/trace/trace-file.js';
import { freePort } from '../support/free-port.js';
import { forgetInterrupts, pressCtrlC } from '../support/interrupts.js';

forgetInterrupts();

it('gives up at a Ctrl-C that comes as soon as it says that it waits', async () => {
  const handshake = `tcp://127.0.0.1:${await freePort()}`;
  const options = { ...parseOptions(['--handshake', handshake, '--ready-timeout', '1']), handshake };
  const wasHeard: boolean[] = [];
  const terminal = new Terminal({ write: () => wasHeard.push(pressCtrlC()) });
  expect(await runConnected(await readTrace(defaultTrace()), options, terminal)).toBe(EXIT_INTERRUPTED);
  expect(wasHeard).toEqual([true]);
});

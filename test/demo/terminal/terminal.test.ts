import { expect, it } from 'vitest';
import { Terminal } from '../../../src/demo/terminal/terminal.js';

function written(isTTY: boolean, use: (terminal: Terminal) => void): string {
  let text = '';
  use(new Terminal({ isTTY, columns: 10, write: (chunk) => (text += chunk) }));
  return text;
}

const CLEAR = '\r\u001b[K';

it('rewrites the progress line in place on a terminal, cut to its width', () => {
  const text = written(true, (terminal) => {
    terminal.progress('one');
    terminal.progress('0123456789abc');
    terminal.clear();
  });
  expect(text).toBe(`${CLEAR}one${CLEAR}012345678${CLEAR}`);
});

it('puts lines above the progress line', () => {
  const text = written(true, (terminal) => {
    terminal.progress('one');
    terminal.print(['log', 'more']);
  });
  expect(text).toBe(`${CLEAR}one${CLEAR}log\nmore\none`);
});

it('prints plain lines elsewhere', () => {
  const text = written(false, (terminal) => {
    terminal.progress('one');
    terminal.print(['log']);
    terminal.clear();
  });
  expect(text).toBe('one\nlog\n');
});

it('takes a terminal without a width for one of 80 columns', () => {
  let text = '';
  new Terminal({ isTTY: true, columns: 0, write: (chunk) => (text += chunk) }).progress('x'.repeat(100));
  expect(text).toBe(`${CLEAR}${'x'.repeat(79)}`);
});

/** Ctrl-C, told to this process alone. */
import { afterEach } from 'vitest';

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** As if the key were pressed. Returns whether anybody listened. */
export function pressCtrlC(): boolean {
  return process.emit('SIGINT', 'SIGINT');
}

/** Takes away, after each test of a file, the listeners that it left. */
export function forgetInterrupts(): void {
  const before = SIGNALS.map((name) => process.listeners(name));
  afterEach(() => {
    for (const [i, name] of SIGNALS.entries())
      for (const listener of process.listeners(name))
        if (!before[i]!.includes(listener)) process.off(name, listener);
  });
}

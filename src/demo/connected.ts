import type { DemoOptions } from './command/options.js';
import { EXIT_INTERRUPTED } from './exit-codes.js';
import { connectFleet } from './fleet/connect-fleet.js';
import type { ConnectedFleet } from './fleet/connected-fleet.js';
import { replayConnected } from './replay-connected.js';
import { serve } from './serve.js';
import { counted } from './terminal/format.js';
import { onInterrupt } from './terminal/interrupt.js';
import { wrapped } from './terminal/layout.js';
import type { Terminal } from './terminal/terminal.js';
import type { Trace } from './trace/trace.js';

type Options = DemoOptions & { readonly handshake: string };

/** The demo on engines of other processes, once they are there. Returns the exit code. @throws {UsageError} */
export async function runConnected(trace: Trace, options: Options, terminal: Terminal): Promise<number> {
  const fleet = await awaited(trace, options, terminal);
  if (fleet === undefined) return EXIT_INTERRUPTED;
  announce(fleet, terminal);
  return options.once
    ? replayConnected(trace, fleet, options, terminal)
    : serve(trace, fleet, options, terminal);
}

async function awaited(
  trace: Trace,
  options: Options,
  terminal: Terminal,
): Promise<ConnectedFleet | undefined> {
  const { handshake, engines, readyTimeout } = options;
  const giveUp = new AbortController();
  // Before the line that says so: whoever reads it may press the key at once.
  const release = onInterrupt(() => giveUp.abort());
  try {
    const wait = `Waiting on ${handshake} for ${counted(engines, 'engine')}, ${readyTimeout} s at most`;
    terminal.print(wrapped([`${wait}; Ctrl-C gives up`], terminal.width));
    return await connectFleet(trace, options, giveUp.signal);
  } finally {
    release();
  }
}

function announce(fleet: ConnectedFleet, terminal: Terminal): void {
  fleet.status$.subscribe(({ engineIndex, state, reason }) => {
    const text =
      state === 'ready' ? `Engine ${engineIndex} is ready` : `Engine ${engineIndex} is lost: ${reason}`;
    terminal.print(wrapped([text], terminal.width));
  });
}

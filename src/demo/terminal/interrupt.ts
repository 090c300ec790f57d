const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** npm hands a Ctrl-C on to its child, which the terminal has told as well: two signals of one key, near each other. */
const SAME_KEY_MS = 1000;

/** Calls `stop` at the first Ctrl-C or kill; one that comes later ends the process as usual. */
export function onInterrupt(stop: () => void): () => void {
  let stopped: number | undefined;
  const release = () => {
    for (const name of SIGNALS) process.off(name, listener);
  };
  const listener = (signal: NodeJS.Signals) => {
    if (stopped === undefined) {
      stop();
      stopped = performance.now();
    } else if (performance.now() - stopped > SAME_KEY_MS) {
      release();
      process.kill(process.pid, signal);
    }
  };
  for (const name of SIGNALS) process.on(name, listener);
  // Once stopped it stays: the second signal may come when all is done, and would cost the exit code.
  return () => {
    if (stopped === undefined) release();
  };
}

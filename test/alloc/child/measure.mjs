/** Bytes by slope: two run lengths, so that the constant of a first run (compilation, feedback) falls out. */

/**
 * Bytes allocated per turn of `work(turns)`. Needs a young generation that holds all of the longer run, or a scavenge
 * in the middle would hide what was allocated before it.
 */
export function allocatedPerTurn(work, turns) {
  work(turns); // warm-up: as long as the longer run, so that everything is compiled
  work(turns);
  const slopes = Array.from({ length: 5 }, () => {
    const short = bytesOf(work, turns / 4);
    const long = bytesOf(work, turns);
    return (long - short) / (turns - turns / 4);
  });
  // The least: what other threads of V8 add is never negative.
  return Math.min(...slopes.map(Math.abs));
}

function bytesOf(work, turns) {
  globalThis.gc();
  const before = process.memoryUsage().heapUsed;
  work(turns);
  return process.memoryUsage().heapUsed - before;
}

/** Bytes still held per turn of `work(turns)` after a full collection; what it returns is held meanwhile. */
export function retainedPerTurn(work, turns) {
  const kept = [work(turns)];
  const heldBy = (count) => {
    const before = settled();
    kept.push(work(count));
    return settled() - before;
  };
  const slopes = Array.from({ length: 3 }, () => (heldBy(turns) - heldBy(turns / 4)) / (turns * 0.75));
  kept.length = 0;
  return slopes.sort((a, b) => a - b)[1];
}

function settled() {
  globalThis.gc();
  return process.memoryUsage().heapUsed;
}

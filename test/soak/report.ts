import type { SoakResult } from './soak.js';

/** Above it the heap grows with the requests: one small object kept per hundred requests is enough. */
const MAX_BYTES_PER_REQUEST = 0.5;
/** What code and its feedback may still grow by in a short run, all in all. */
const SETTLING_BYTES = 1_000_000;

interface Report {
  readonly lines: readonly string[];
  readonly passed: boolean;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** The figures of a run, and whether it lost nothing. */
export function reportOf({ ledger, heap, seconds, simulated }: SoakResult, seed: number): Report {
  const bound = Math.max(MAX_BYTES_PER_REQUEST, SETTLING_BYTES / ledger.started);
  const flat = heap.slope <= bound;
  const faults = [...ledger.faults].sort(([, one], [, other]) => other - one);
  const lost = ledger.problems.length === 0 ? 'nothing lost' : 'WRONG';
  return {
    passed: flat && ledger.problems.length === 0,
    lines: [
      `runs: 1, seed ${seed}`,
      `requests: ${count(ledger.started)}, ${count(simulated)} of them through the simulator`,
      `outputs: ${count(ledger.outputsReceived)} in ${count(ledger.batches)} steps`,
      `scrapes: ${count(ledger.scrapes)}; looks at every figure: ${count(ledger.checks)}`,
      `faults injected: ${count(ledger.numFaults)}`,
      ...faults.map(([kind, number]) => `  ${kind}: ${count(number)}`),
      `${lost}: ${count(ledger.recorded)} requests recorded, ${count(ledger.disposed)} under way as their instance was disposed`,
      ...ledger.problems.map((problem) => `  ${problem}`),
      `heap: ${heap.slope.toFixed(3)} bytes per request over ${heap.size} measures (at most ${bound.toFixed(2)}), ${(heap.last / 2 ** 20).toFixed(1)} MB in the end`,
      `time: ${seconds.toFixed(0)} s`,
    ],
  };
}

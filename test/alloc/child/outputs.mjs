/** Bytes per output through `withRequestMetrics`, and of the same stream without it. */
import { answer, api, FIRST, metrics, Push, REQUEST, testing } from './load.mjs';
import { allocatedPerTurn } from './measure.mjs';

const OUTPUTS = 1_000_000;

/** Pushes outputs of one live request with growing timestamps, through what `operator` makes. */
function perOutput(operator) {
  const source = new Push();
  operator(source).subscribe(() => {});
  source.subscriber.next(FIRST);
  const token = { ...testing.engineOutput(1, { timestamp: 3.5 }) };
  // In a typed array: a variable of the closure would be boxed anew with each turn, 16 bytes.
  const now = new Float64Array([4]);
  return allocatedPerTurn((turns) => {
    for (let i = 0; i < turns; i++) {
      now[0] += 0.015625;
      token.timestamp = now[0];
      source.subscriber.next(token);
    }
  }, OUTPUTS);
}

answer({
  bare: perOutput((source) => source),
  recorded: perOutput((source) => source.pipe(api.withRequestMetrics(metrics, REQUEST))),
});

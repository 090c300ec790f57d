/** An engine's bytes into `EngineCoreOutputs`: ours against the two decoders that people use, into the same objects. */
import { deepStrictEqual } from 'node:assert';
import { EngineCoreOutputsDecoder } from '../../src/wire/index.js';
import { ns, pairedRounds, type Row, report, timed, times } from './harness.js';
import { byMsgpack, byMsgpackr, OUTPUTS_A_STEP, steps } from './workloads/decoder-workload.js';

type Kind = 'ours' | 'msgpackr' | '@msgpack/msgpack';

const ROUNDS = { warmUp: 20, measured: 101 };

function measured(
  what: string,
  replaced: number,
  targets: readonly [msgpack: number, msgpackr: number],
): Row {
  const messages = steps(replaced);
  const decoder = new EngineCoreOutputsDecoder();
  const decode: Record<Kind, (bytes: Uint8Array) => { outputs: readonly unknown[] }> = {
    ours: (bytes) => decoder.decode(bytes),
    msgpackr: byMsgpackr,
    '@msgpack/msgpack': byMsgpack,
  };
  for (const message of messages) {
    deepStrictEqual(decode.ours(message), byMsgpackr(message));
    deepStrictEqual(byMsgpack(message), byMsgpackr(message));
  }
  let outputs = 0;
  const figures = pairedRounds<Kind>(['ours', 'msgpackr', '@msgpack/msgpack'], ROUNDS, (kind) => {
    const run = decode[kind];
    const time = timed(() => {
      for (const message of messages) outputs += run(message).outputs.length;
    });
    return time / (messages.length * OUTPUTS_A_STEP);
  });
  if (outputs === 0) throw new Error('bench decoder: expected outputs, got none');
  const [overMsgpack, overMsgpackr] = [
    figures.ratio('@msgpack/msgpack', 'ours'),
    figures.ratio('msgpackr', 'ours'),
  ];
  return {
    what,
    measured: `${times(overMsgpack)} and ${times(overMsgpackr)}; ours ${ns(figures.of('ours'))} an output`,
    target: `≥ ${targets[0]} × @msgpack/msgpack, ≥ ${targets[1]} × msgpackr`,
    met: overMsgpack.median >= targets[0] && overMsgpackr.median >= targets[1],
  };
}

report([
  measured('decoding 256 one-token outputs a message', 0, [5, 2]),
  measured('the same with two requests replaced a step', 2, [3.5, 1.8]),
]);

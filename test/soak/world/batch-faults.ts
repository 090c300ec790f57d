/** Steps that are not what they should be. */
import type { EngineCoreOutputs } from '../../../src/index.js';
import type { Ledger } from '../ledger.js';
import type { Random } from '../random.js';
import type { ModelCounts } from './counts.js';

type Spoiler = (batch: EngineCoreOutputs, model: ModelCounts) => readonly unknown[];

const SPOILERS: readonly (readonly [kind: string, spoiler: Spoiler])[] = [
  ['step at no time', (batch) => [{ ...batch, timestamp: Number.NaN }]],
  ['step before the last one', (batch) => [{ ...batch, timestamp: batch.timestamp - 0.25 }]],
  ['output that is null', (batch) => [{ ...batch, outputs: [null, ...batch.outputs] }]],
  ['outputs that are no list', (batch, model) => odd(model, 'outputs', { ...batch, outputs: 'x' }, batch)],
  [
    'engine index below 0',
    (batch, model) => odd(model, 'engineIndex', { ...batch, engineIndex: -1, outputs: [] }, batch),
  ],
  [
    'stats that are no struct',
    (batch, model) => odd(model, 'schedulerStats', { ...batch, schedulerStats: 'x', outputs: [] }, batch),
  ],
];

/** One more step, without a word of any request, before the right one. */
function odd(
  model: ModelCounts,
  source: string,
  spoilt: object,
  batch: EngineCoreOutputs,
): readonly unknown[] {
  model.odd(source);
  return [
    { ...spoilt, finishedRequests: [], ...(source !== 'schedulerStats' && { schedulerStats: undefined }) },
    batch,
  ];
}

/** A step as it goes out: mostly as it is. */
export function spoil(
  batch: EngineCoreOutputs,
  random: Random,
  model: ModelCounts,
  ledger: Ledger,
): readonly EngineCoreOutputs[] {
  if (!random.chance(0.02)) return [batch];
  const [kind, spoiler] = random.pick(SPOILERS);
  ledger.fault(kind);
  return spoiler(batch, model) as readonly EngineCoreOutputs[];
}

/** How a request is asked for: what its `RequestInfo` says, odd things included. */
import { type MonoTypeOperatorFunction, map, type Observable, take } from 'rxjs';
import {
  type EngineCoreOutputStream,
  type EngineCoreStreamOutput,
  type RequestInfo,
  type ServingMetrics,
  tagEngine,
  withRequestMetrics,
} from '../../../src/index.js';
import type { Ledger } from '../ledger.js';
import type { Random } from '../random.js';
import type { VirtualTime } from '../virtual-time.js';
import { type Client, ConsumerError } from './client.js';
import type { ModelCounts } from './counts.js';
import type { Plan } from './plan.js';

export interface Asked {
  readonly info: RequestInfo;
  /** When it says it arrived. */
  readonly arrivalMs: number;
  readonly maxTokens: number | undefined;
}

const ODD_ARGUMENTS = ['maxTokens', 'n', 'loraName', 'arrivalTimeMs'] as const;

/** Draws what the request says of itself; odd arguments are booked as such. */
export function ask(
  plan: Plan,
  random: Random,
  time: VirtualTime,
  model: ModelCounts,
  ledger: Ledger,
): Asked {
  const ticks = random.chance(0.2) ? random.below(2048) : 0;
  const maxTokens = random.chance(0.8) ? plan.numOutputTokens + random.below(4) : undefined;
  const arrivalMs = time.now() - ticks * (1000 / 1024);
  const info = {
    numPromptTokens: plan.numPromptTokens,
    ...(ticks > 0 && { arrivalTimeMs: arrivalMs }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(plan.loraName !== undefined && { loraName: plan.loraName }),
    ...(plan.family !== undefined && { parent: plan.family.parent }),
    ...(plan.fate === 'stop string' && { unsubscribeReason: () => 'stop' as const }),
  };
  if (!random.chance(0.01)) return { info, arrivalMs, maxTokens };
  const odd = random.pick(ODD_ARGUMENTS);
  if (odd === 'loraName' && plan.loraName !== undefined) return { info, arrivalMs, maxTokens };
  ledger.fault(`odd ${odd}`);
  model.odd(odd);
  return oddOf(odd, { info, arrivalMs, maxTokens }, time);
}

function oddOf(odd: (typeof ODD_ARGUMENTS)[number], asked: Asked, time: VirtualTime): Asked {
  const { info } = asked;
  switch (odd) {
    case 'maxTokens':
      return { ...asked, info: { ...info, maxTokens: -5 }, maxTokens: undefined };
    case 'n':
      return { ...asked, info: { ...info, n: 0 } };
    case 'loraName':
      return { ...asked, info: { ...info, loraName: '' } };
    case 'arrivalTimeMs':
      return { ...asked, info: { ...info, arrivalTimeMs: time.now() + 5000 }, arrivalMs: time.now() };
  }
}

/** The request's stream with everything that its fate puts above and below our operator. */
export function piped(
  routed: EngineCoreOutputStream,
  metrics: ServingMetrics,
  plan: Plan,
  info: RequestInfo,
  clientOf: () => Client,
): Observable<EngineCoreStreamOutput> {
  const source =
    plan.fate === 'complete without finish'
      ? routed.pipe(take(plan.at), tagEngine(plan.engineIndex, plan.id))
      : routed;
  const measured = source.pipe(withRequestMetrics(metrics, info));
  return plan.fate === 'consumer throws' ? measured.pipe(throwsWhenDue(clientOf)) : measured;
}

function throwsWhenDue(clientOf: () => Client): MonoTypeOperatorFunction<EngineCoreStreamOutput> {
  return map((value) => {
    const client = clientOf();
    client.see(value);
    if (client.isDue) throw new ConsumerError('the consumer is broken');
    return value;
  });
}

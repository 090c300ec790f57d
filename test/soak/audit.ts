/** The page against the driver's own counts: every figure exact, whatever happened. */
import { type EngineCounts, type ModelCounts, PER_REQUEST } from './world/counts.js';
import type { Frontend } from './world/frontend.js';
import type { Instances } from './world/instances.js';

type Samples = ReadonlyMap<string, number>;

/** A series of a model's engine; the part after `|` is one more label. */
function keyOf(name: string, model: string, engine: number): string {
  const [family, extra] = name.split('|');
  const labels = [
    `engine="${engine}"`,
    `model_name="${model}"`,
    ...(extra === undefined ? [] : [extra]),
  ].sort();
  return `${family!.startsWith('rx_') ? '' : 'vllm:'}${family}{${labels.join(',')}}`;
}

function engineFigures(counts: EngineCounts): [string, number | undefined][] {
  const { counters, histograms, gauges, removed, inFlight } = counts;
  return [
    ...counters,
    ...[...histograms].flatMap(([name, { count, sum }]): [string, number][] => [
      [`${name}_count`, count],
      [`${name}_sum`, sum],
    ]),
    ...[...gauges].map(([name, value]): [string, number | undefined] => [name, removed ? undefined : value]),
    ['rx_engine_metrics_requests_in_flight', removed && inFlight === 0 ? undefined : inFlight],
  ];
}

/** What differs between a model's counts and the page. */
export function auditModel({ name, counts, diagnosed }: Instances, samples: Samples): string[] {
  const wrong: string[] = [];
  const check = (key: string, expected: number | undefined): void => {
    const found = samples.get(key);
    if (found !== expected) wrong.push(`${key}: found ${found}, expected ${expected}`);
  };
  for (const [engine, figures] of counts.engines)
    for (const [figure, expected] of engineFigures(figures)) check(keyOf(figure, name, engine), expected);
  const invalid = `rx_engine_metrics_invalid_values_total{model_name="${name}",source="`;
  for (const [source, count] of counts.invalid) check(`${invalid}${source}"}`, count);
  for (const key of samples.keys())
    if (key.startsWith(invalid) && !counts.invalid.has(key.slice(invalid.length, -2)))
      wrong.push(`${key}: expected none`);
  const odd = [...counts.invalid.values()].reduce((sum, count) => sum + count, 0);
  if (odd !== diagnosed) wrong.push(`${name}: ${diagnosed} diagnostics, expected ${odd}`);
  return wrong;
}

/** What must hold between the page's own figures once nothing is in flight. */
export function auditIdentities(model: string, counts: ModelCounts, samples: Samples): string[] {
  const wrong: string[] = [];
  for (const [engine, { removed }] of counts.engines) {
    const of = (name: string): number => samples.get(keyOf(name, model, engine)) ?? Number.NaN;
    const same = (what: string, one: number, other: number): void => {
      if (one !== other) wrong.push(`${model}, engine ${engine}: ${what}, ${one} and ${other}`);
    };
    const reasons = ['stop', 'length', 'abort', 'error', 'repetition'];
    const ended = reasons.reduce(
      (sum, reason) => sum + of(`request_success_total|finished_reason="${reason}"`),
      0,
    );
    for (const name of PER_REQUEST) same(`requests ended and ${name}`, ended, of(`${name}_count`));
    same('generated tokens', of('generation_tokens_total'), of('request_generation_tokens_sum'));
    same('preemptions', of('num_preemptions_total'), of('request_num_preemptions_sum'));
    if (!removed) same('in flight', of('rx_engine_metrics_requests_in_flight'), 0); // else it has left the page
  }
  return wrong;
}

/** Adapters of the requests under way, as the LoRA series should list them; undefined if there are none. */
export function expectedAdapters(frontends: readonly Frontend[]): string | undefined {
  const of = (state: 'waiting' | 'running'): string => {
    const names = frontends.flatMap(({ admission }) =>
      [...admission.reading()]
        .filter(({ lora, counted }) => counted && lora === state)
        .map(({ plan }) => plan.loraName!),
    );
    return [...new Set(names)].sort().join(',');
  };
  const [waiting, running] = [of('waiting'), of('running')];
  if (waiting === '' && running === '') return undefined;
  return `vllm:lora_requests_info{running_lora_adapters="${running}",waiting_lora_adapters="${waiting}"}`;
}

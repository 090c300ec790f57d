/** Lines of metrics that come as samples: other people's, another loaded copy's, a cluster's. */

import type { PromMetricValues, PromSample } from '../prom-client.js';
import { escapeHelp, strippedName } from './header.js';
import { labelText, pairText, withBoundText } from './label-texts.js';
import { formatFloat } from './number-format.js';

type Labels = Readonly<Record<string, unknown>>;

/** How such lines are to be written. */
export interface Spelling {
  readonly openMetrics: boolean;
  /** Numbers and order as vLLM's pages have them, not as prom-client writes them. */
  readonly asVllm: boolean;
  /** Labels for the samples that have none of these names. */
  readonly defaults: Labels;
}

/** So many samples are one text: some 0.2 ms of work. */
const SAMPLES_A_TEXT = 256;

/** @see prom-client/lib/util.js `getValueAsString` */
function promNumber(value: number): string {
  if (Number.isNaN(value)) return 'Nan';
  return Number.isFinite(value) ? String(value) : value < 0 ? '-Inf' : '+Inf';
}

function exemplarText({ exemplar }: PromSample): string {
  if (!exemplar) return '';
  const labels = Object.entries(exemplar.labelSet).map(([name, value]) => pairText(name, value));
  return ` # {${labels.join(',')}} ${promNumber(exemplar.value)} ${exemplar.timestamp}`;
}

function lineOf(sample: PromSample, family: string, isCounter: boolean, spelling: Spelling): string {
  const { metricName = family, value } = sample;
  const name = isCounter && spelling.openMetrics ? `${strippedName(metricName)}_total` : metricName;
  // A label that is there stands, also one of no characters: a default is for a label that is not there.
  const labels: Labels = { ...spelling.defaults, ...sample.labels, ...sample.sharedLabels };
  const exemplar = spelling.openMetrics ? exemplarText(sample) : '';
  if (!spelling.asVllm) return `${name}${labelText(labels)}${promNumber(value)}${exemplar}\n`;
  return `${name}${labelText(withBoundText(labels))}${formatFloat(value)}${exemplar}\n`;
}

function rankOf({ metricName = '', labels }: PromSample): number {
  if (metricName.endsWith('_count')) return Infinity;
  if (metricName.endsWith('_sum')) return NaN;
  return labels['le'] === '+Inf' ? Number.MAX_VALUE : Number(labels['le']);
}

/** By bound, then count, then sum: NaN comes last. */
function byRank(a: PromSample, b: PromSample): number {
  const [left, right] = [rankOf(a), rankOf(b)];
  if (Number.isNaN(left) || Number.isNaN(right))
    return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A histogram's samples label set by label set, each as Python has them: buckets ascending, count, sum. */
export function inPythonOrder(samples: readonly PromSample[]): PromSample[] {
  const sets = new Map<string, PromSample[]>();
  for (const sample of samples) {
    const { le, ...labels } = { ...sample.labels, ...sample.sharedLabels };
    const key = labelText(labels);
    const set = sets.get(key);
    if (set === undefined) sets.set(key, [sample]);
    else set.push(sample);
  }
  return [...sets.values()].flatMap((set) => set.sort(byRank));
}

/**
 * The metric's lines as a number of texts, the header first.
 * @throws {TypeError} if the answer has not the shape of a metric.
 */
export function* textsOf(answer: PromMetricValues, spelling: Spelling): Generator<string, void, undefined> {
  const { openMetrics, asVllm } = spelling;
  const isCounter = answer.type === 'counter';
  const name = escapeHelp(isCounter && openMetrics ? strippedName(answer.name) : answer.name, false);
  yield `# HELP ${name} ${escapeHelp(answer.help, false)}\n# TYPE ${name} ${answer.type}\n`;
  const values = answer.values ?? [];
  const samples = asVllm && answer.type === 'histogram' ? inPythonOrder(values) : values;
  for (let i = 0; i < samples.length; i += SAMPLES_A_TEXT) {
    const some = samples.slice(i, i + SAMPLES_A_TEXT);
    yield some.map((sample) => lineOf(sample, name, isCounter, spelling)).join('');
  }
}

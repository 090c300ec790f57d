/** The identities of §3 on an engine's handles: a page of each of thousands of runs would take longer than the runs. */
import type { EngineMetrics } from '../../src/index.js';
import { isSettled, type SpiedRecord } from './spy.js';

const sum = (numbers: readonly number[]): number => numbers.reduce((total, n) => total + n, 0);

function terminalHistograms(metrics: EngineMetrics) {
  const { requestPromptTokens, requestGenerationTokens, requestMaxNumGenerationTokens, requestParamsN } =
    metrics;
  const { requestNumPreemptions, requestPrefillKvComputedTokens, e2eRequestLatencySeconds } = metrics;
  const { requestQueueTimeSeconds, requestPrefillTimeSeconds, requestDecodeTimeSeconds } = metrics;
  const { requestInferenceTimeSeconds, requestTimePerOutputTokenSeconds } = metrics;
  return {
    requestPromptTokens,
    requestGenerationTokens,
    requestMaxNumGenerationTokens,
    requestParamsN,
    requestNumPreemptions,
    requestPrefillKvComputedTokens,
    e2eRequestLatencySeconds,
    requestQueueTimeSeconds,
    requestPrefillTimeSeconds,
    requestDecodeTimeSeconds,
    requestInferenceTimeSeconds,
    requestTimePerOutputTokenSeconds,
  };
}

/** Each identity that does not hold, as a line. */
export function brokenHandles(
  metrics: EngineMetrics,
  records: readonly SpiedRecord[],
  prompt: number,
): string[] {
  const broken: string[] = [];
  const same = (name: string, ours: number, wanted: number) => {
    if (ours !== wanted) broken.push(`${name} is ${ours}, not ${wanted}`);
  };
  const ended = records.filter(isSettled);
  for (const [name, histogram] of Object.entries(terminalHistograms(metrics)))
    same(`${name} count`, histogram.count, ended.length);
  const reasons = Object.values(metrics.requestSuccess).map(({ value }) => value);
  same('requestSuccess', sum(reasons), ended.length);
  const generated = sum(records.map(({ tokens }) => tokens));
  same('generationTokens', metrics.generationTokens.value, generated);
  const ofEnded = sum(ended.map(({ tokens }) => tokens));
  same('requestGenerationTokens sum', metrics.requestGenerationTokens.sum, ofEnded);
  const preempted = sum(records.map(({ preemptions }) => preemptions));
  same('numPreemptions', metrics.numPreemptions.value, preempted);
  const preemptedEnded = sum(ended.map(({ preemptions }) => preemptions));
  same('requestNumPreemptions sum', metrics.requestNumPreemptions.sum, preemptedEnded);
  const firsts = records.filter(({ outputsWithTokens }) => outputsWithTokens > 0).length;
  const outputs = sum(records.map(({ outputsWithTokens }) => outputsWithTokens));
  same('timeToFirstTokenSeconds count', metrics.timeToFirstTokenSeconds.count, firsts);
  same('interTokenLatencySeconds count', metrics.interTokenLatencySeconds.count, outputs - firsts);
  same('promptTokens', metrics.promptTokens.value, firsts * prompt);
  same('requestsInFlight', metrics.requestsInFlight.value, records.length - ended.length);
  return broken;
}

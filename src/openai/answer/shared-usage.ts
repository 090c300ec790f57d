/** One usage for several choices: who made which tokens is not said, so what is left over is spread. */
import type { RequestUsage } from '../../serving/request/request-handle.js';
import type { AnswerChoice } from './answer-choice.js';

/**
 * Gives each choice its part of a usage that counts them together, before they end. Tokens beyond those that were
 * seen go first to choices that ended without a token to see (their end of sequence), then to all alike. A prompt
 * counts once a choice, as vLLM's children count it; of several prompts each has an even part of their sum.
 * @param n the choices of one prompt
 */
export function shareUsage(
  total: RequestUsage | undefined,
  choices: readonly AnswerChoice[],
  n: number,
): void {
  if (total === undefined) return;
  const numPrompts = Math.max(1, Math.ceil(choices.length / n));
  const prompts = evenParts(total.promptTokens, numPrompts);
  const cached = evenParts(total.cachedTokens, numPrompts);
  const counts = completionCounts(total.completionTokens, choices);
  for (const [at, choice] of choices.entries()) {
    const prompt = numPrompts === 1 ? 0 : Math.floor(at / n);
    const { usage } = choice;
    choice.report({
      promptTokens: usage?.promptTokens ?? prompts[prompt],
      cachedTokens: usage?.cachedTokens ?? cached[prompt],
      completionTokens: counts[at],
      timings: choices.length === 1 ? total.timings : usage?.timings,
    });
  }
}

/** Whole parts that add up to the sum, the first ones one larger where it does not divide. */
function evenParts(sum: number | undefined, parts: number): readonly (number | undefined)[] {
  if (sum === undefined) return [];
  const part = Math.floor(sum / parts);
  return Array.from({ length: parts }, (_, at) => (at < sum - part * parts ? part + 1 : part));
}

function completionCounts(
  total: number | undefined,
  choices: readonly AnswerChoice[],
): (number | undefined)[] {
  const counts = choices.map(({ usage, counted }) => usage?.completionTokens ?? counted);
  if (total === undefined) return counts;
  if (choices.length === 1) return [total];
  const open = choices.flatMap(({ usage }, at) => (usage?.completionTokens === undefined ? [at] : []));
  let left = total - counts.reduce((sum, count) => sum + count, 0);
  for (const at of open) {
    if (left <= 0 || !choices[at]!.endedSilently) continue;
    counts[at]! += 1;
    left--;
  }
  for (const [order, more] of evenParts(Math.max(0, left), open.length).entries())
    counts[open[order]!]! += more!;
  return counts;
}

import { assertMember, finiteNumber, oneOf, wholeNumber } from '../../serving/checks.js';
import type { SimulatedEnding, SimulatedRequest } from '../request.js';
import type { EngineConfig } from './engine-config.js';

const ENDINGS: readonly SimulatedEnding[] = ['stop', 'length', 'abort', 'error', 'repetition'];

/** @throws {TypeError|RangeError} naming the field of a request that an engine cannot run. */
export function checkRequest(request: SimulatedRequest, config: EngineConfig): void {
  assertText('requestId', request.requestId);
  const numPromptTokens = wholeNumber('numPromptTokens', request.numPromptTokens, 1);
  if (numPromptTokens >= config.maxModelLen)
    throw new RangeError(
      `numPromptTokens: expected less than maxModelLen (${config.maxModelLen}), got ${numPromptTokens}`,
    );
  wholeNumber('numOutputTokens', request.numOutputTokens, 1);
  if (request.maxTokens !== undefined && request.maxTokens !== null)
    wholeNumber('maxTokens', request.maxTokens, 1);
  if (request.arrivalTimeMs !== undefined) finiteNumber('arrivalTimeMs', request.arrivalTimeMs, 0);
  if (request.finishReason !== undefined) oneOf('finishReason', request.finishReason, ENDINGS);
  if (request.loraName !== undefined) assertText('loraName', request.loraName);
  if (request.blockHashes !== undefined) checkHashes(request.blockHashes.length, numPromptTokens, config);
}

function assertText(subject: string, value: unknown): void {
  assertMember(subject, value, 'a non-empty string', typeof value === 'string' && value !== '');
}

/** Another count means another block size, and hit rates that look right and are not. */
function checkHashes(count: number, numPromptTokens: number, { blockSize }: EngineConfig): void {
  const full = Math.floor(numPromptTokens / blockSize);
  if (count !== full && count !== Math.ceil(numPromptTokens / blockSize))
    throw new RangeError(
      `blockHashes: expected one for each block of ${blockSize} of ${numPromptTokens} tokens (${full}), got ${count}`,
    );
}

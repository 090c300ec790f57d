/** Settings, checked once: whoever reads a config need not ask whether it holds. */
import {
  checkedNumber,
  finiteNumber,
  fraction,
  oneOf,
  positiveNumber,
  wholeNumber,
} from '../../serving/checks.js';
import type { AbortReply, EngineOptions, StepTimeOptions } from '../options.js';
import {
  type ConnectorConfig,
  connectorConfig,
  type PerfConfig,
  perfConfig,
  type SpecDecodingConfig,
  specDecodingConfig,
} from './extras-config.js';

/** {@link StepTimeOptions} with defaults, in milliseconds. */
export interface StepTimeConfig {
  readonly baseMs: number;
  readonly perPrefillTokenMs: number;
  readonly perDecodeSeqMs: number;
  readonly jitter: number;
}

/** {@link EngineOptions}, checked and with its defaults. */
export interface EngineConfig {
  readonly maxNumBatchedTokens: number;
  readonly maxNumSeqs: number;
  readonly blockSize: number;
  readonly numKvBlocks: number;
  readonly maxModelLen: number;
  readonly chunkedPrefill: boolean;
  readonly prefixCaching: boolean;
  readonly stepTime: StepTimeConfig;
  readonly errorRate: number;
  readonly abortReply: AbortReply;
  readonly specDecoding: SpecDecodingConfig | undefined;
  readonly maxLoras: number;
  readonly kvConnector: ConnectorConfig | undefined;
  readonly perfModel: PerfConfig | undefined;
  readonly kvResidencySampleRate: number;
  readonly dataParallel: boolean;
}

const ABORT_REPLIES: readonly AbortReply[] = ['final-output', 'finished-requests', 'silent'];

/** @throws {TypeError|RangeError} naming the option. */
export function engineConfig(options: EngineOptions): EngineConfig {
  const config: EngineConfig = {
    ...limits(options),
    chunkedPrefill: options.chunkedPrefill ?? true,
    prefixCaching: options.prefixCaching ?? true,
    stepTime: stepTimeConfig(options.stepTime ?? {}),
    errorRate: fraction('errorRate', options.errorRate ?? 0),
    abortReply: oneOf('abortReply', options.abortReply ?? 'final-output', ABORT_REPLIES),
    specDecoding: options.specDecoding && specDecodingConfig(options.specDecoding),
    maxLoras: options.maxLoras === undefined ? Infinity : wholeNumber('maxLoras', options.maxLoras, 1),
    kvConnector: options.kvConnector && connectorConfig(options.kvConnector),
    perfModel: options.perfModel && perfConfig(options.perfModel),
    kvResidencySampleRate: fraction('kvResidencySampleRate', options.kvResidencySampleRate ?? 0),
    dataParallel: options.dataParallel ?? false,
  };
  checkModelLength(config);
  return config;
}

function stepTimeConfig(options: StepTimeOptions): StepTimeConfig {
  return {
    baseMs: positiveNumber('stepTime.baseMs', options.baseMs ?? 6),
    perPrefillTokenMs: finiteNumber('stepTime.perPrefillTokenMs', options.perPrefillTokenMs ?? 0.04, 0),
    perDecodeSeqMs: finiteNumber('stepTime.perDecodeSeqMs', options.perDecodeSeqMs ?? 0.03, 0),
    jitter: checkedNumber('stepTime.jitter', options.jitter ?? 0, 'a number from 0 up to below 1', isJitter),
  };
}

function isJitter(value: number): boolean {
  return value >= 0 && value < 1;
}

function limits(options: EngineOptions) {
  const blockSize = wholeNumber('blockSize', options.blockSize ?? 16, 1);
  const numKvBlocks = wholeNumber('numKvBlocks', options.numKvBlocks ?? 16_384, 1);
  return {
    maxNumBatchedTokens: wholeNumber('maxNumBatchedTokens', options.maxNumBatchedTokens ?? 8192, 1),
    maxNumSeqs: wholeNumber('maxNumSeqs', options.maxNumSeqs ?? 256, 1),
    blockSize,
    numKvBlocks,
    maxModelLen: wholeNumber('maxModelLen', options.maxModelLen ?? numKvBlocks * blockSize, 2),
  };
}

/** One request of full length must fit on its own, or it would wait for ever. */
function checkModelLength({
  maxModelLen,
  numKvBlocks,
  blockSize,
  chunkedPrefill,
  maxNumBatchedTokens,
}: EngineConfig) {
  const capacity = numKvBlocks * blockSize;
  if (maxModelLen > capacity)
    throw new RangeError(
      `maxModelLen: expected at most what the KV blocks hold (${capacity}), got ${maxModelLen}`,
    );
  if (!chunkedPrefill && maxNumBatchedTokens < maxModelLen)
    throw new RangeError(
      `maxNumBatchedTokens: expected at least maxModelLen (${maxModelLen}) without chunkedPrefill, got ${maxNumBatchedTokens}`,
    );
}

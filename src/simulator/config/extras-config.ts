import { fraction, oneOf, positiveNumber, wholeNumber } from '../../serving/checks.js';
import type {
  KVConnectorKind,
  KVConnectorOptions,
  PerfModelOptions,
  SpecDecodingOptions,
} from '../options.js';

/** {@link SpecDecodingOptions} with one rate a position. */
export interface SpecDecodingConfig {
  readonly numSpecTokens: number;
  readonly acceptanceRates: readonly number[];
}

/** @throws {TypeError|RangeError} naming the option. */
export function specDecodingConfig(options: SpecDecodingOptions): SpecDecodingConfig {
  const numSpecTokens = wholeNumber('specDecoding.numSpecTokens', options.numSpecTokens, 1);
  const rate = options.acceptanceRate;
  const rates = typeof rate === 'number' ? new Array<number>(numSpecTokens).fill(rate) : [...rate];
  if (rates.length !== numSpecTokens)
    throw new RangeError(
      `specDecoding.acceptanceRate: expected ${numSpecTokens} positions, got ${rates.length}`,
    );
  return {
    numSpecTokens,
    acceptanceRates: rates.map((value) => fraction('specDecoding.acceptanceRate', value)),
  };
}

/** {@link KVConnectorOptions} with defaults. */
export interface ConnectorConfig {
  readonly kind: KVConnectorKind;
  readonly hitRate: number;
  readonly failureRate: number;
  readonly source: string;
  readonly bytesPerToken: number;
}

const KINDS: readonly KVConnectorKind[] = ['nixl', 'mooncake-store', 'multi'];

/** @throws {RangeError} naming the option. */
export function connectorConfig(options: KVConnectorOptions): ConnectorConfig {
  const kind = oneOf('kvConnector.kind', options.kind, KINDS);
  return {
    kind,
    hitRate: fraction('kvConnector.hitRate', options.hitRate ?? 0.5),
    failureRate: fraction('kvConnector.failureRate', options.failureRate ?? 0),
    source: options.source ?? (kind === 'nixl' ? 'p2p' : 'host'),
    bytesPerToken: positiveNumber('kvConnector.bytesPerToken', options.bytesPerToken ?? 131_072),
  };
}

/** {@link PerfModelOptions} with defaults. */
export interface PerfConfig {
  readonly numParameters: number;
  readonly bytesPerParameter: number;
  readonly kvBytesPerToken: number;
}

/** @throws {RangeError} naming the option. */
export function perfConfig(options: PerfModelOptions): PerfConfig {
  return {
    numParameters: positiveNumber('perfModel.numParameters', options.numParameters ?? 8e9),
    bytesPerParameter: positiveNumber('perfModel.bytesPerParameter', options.bytesPerParameter ?? 2),
    kvBytesPerToken: positiveNumber('perfModel.kvBytesPerToken', options.kvBytesPerToken ?? 131_072),
  };
}

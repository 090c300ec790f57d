import { fraction, oneOf, positiveNumber } from '../checks.js';
import type { KVConnectorKind, KVConnectorOptions } from '../options.js';

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

/** KV connectors by the names of the command line. */
export type ConnectorName = 'nixl' | 'mooncake' | 'multi';

/** What the command line says, defaults filled in. Rates are shares from 0 to 1. */
export interface DemoOptions {
  /** Undefined: the Azure conversation trace that comes with the sources. */
  readonly trace: string | undefined;
  readonly engines: number;
  /** Where engines of other processes connect; undefined: built-in ones. */
  readonly handshake: string | undefined;
  /** Seconds to wait for them. */
  readonly readyTimeout: number;
  /** Trace seconds a second. */
  readonly speed: number;
  readonly load: 'trace' | 'off';
  /** Waiting requests beyond which a new one is turned away. */
  readonly maxQueue: number;
  readonly host: string;
  /** 0: any free one. */
  readonly port: number;
  readonly seed: number;
  readonly abortRate: number;
  readonly errorRate: number;
  readonly once: boolean;
  readonly out: string | undefined;
  /** KV blocks of an engine; undefined: by the trace. */
  readonly kvBlocks: number | undefined;
  readonly kvResidency: number;
  /** 0: no speculative decoding. */
  readonly specTokens: number;
  /** Adapters; 0: none. */
  readonly lora: number;
  readonly connector: ConnectorName | undefined;
  readonly mmCache: boolean;
  readonly mfu: boolean;
  readonly help: boolean;
}

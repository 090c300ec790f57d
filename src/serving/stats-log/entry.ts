/** What the stats log tells: figures of one interval, and the lines they make. */

/** Speculative decoding in the interval. */
export interface StatsLogSpecDecoding {
  /** Tokens per draft, the one that needs no draft included. */
  readonly meanAcceptanceLength: number;
  /** Tokens per second. */
  readonly acceptedThroughput: number;
  /** Tokens per second. */
  readonly draftedThroughput: number;
  readonly acceptedTokens: number;
  readonly draftedTokens: number;
  /** Accepted tokens per draft at each position of a draft, for every position seen so far. */
  readonly perPositionAcceptanceRates: readonly number[];
  /** Accepted per drafted token; NaN if nothing was drafted. */
  readonly draftAcceptanceRate: number;
}

/** Estimated work in the interval, the mean over engines. */
export interface StatsLogMfu {
  /** 1e12 floating point operations per second. */
  readonly tflopsPerGpu: number;
  /** 1e9 bytes read or written per second. */
  readonly gbytesPerSecondPerGpu: number;
}

/** One interval's figures of one engine or of several together. */
export interface StatsLogStats {
  /** Prompt tokens computed here, not taken from a cache, per second. */
  readonly promptThroughput: number;
  /** Tokens per second. */
  readonly generationThroughput: number;
  readonly numRunning: number;
  /** Deferred requests included. */
  readonly numWaiting: number;
  readonly numDeferred: number;
  /** In the interval. */
  readonly numPreemptions: number;
  /** Requests with NaNs in their logits that ended in the interval. */
  readonly numCorrupted: number;
  /** 0 to 1, the mean over engines. */
  readonly kvCacheUsage: number;
  /** 0 to 1, of the last interval that had queries; 0 before. */
  readonly prefixCacheHitRate: number;
  /** 0 to 1, of the last interval that had queries; absent before. */
  readonly externalPrefixCacheHitRate?: number;
  /** 0 to 1, of the last interval that had queries; absent before. */
  readonly mmCacheHitRate?: number;
  /** Absent if the interval had no drafts. */
  readonly specDecoding?: StatsLogSpecDecoding;
  /** Absent if the estimates did not move. */
  readonly mfu?: StatsLogMfu;
  /** Absent if the figures are of several engines. */
  readonly engineIndex?: number;
  readonly numEngines: number;
}

/** What the stats log tells at a tick. */
export interface StatsLogEntry {
  /** For all lines: `info` if a throughput of this or of the previous tick is not 0. */
  readonly level: 'info' | 'debug';
  /** The main line. */
  readonly line: string;
  /** All lines, the main one first. */
  readonly lines: readonly string[];
  readonly stats: StatsLogStats;
}

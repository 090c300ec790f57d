/**
 * Inclusive upper bounds of vLLM's histograms, in seconds, tokens or counts.
 * @see vllm/v1/metrics/loggers.py, rust/src/metrics/src/lib.rs
 */
import { build125Buckets } from '../../metric/buckets.js';

/** Families of buckets that `ServingMetrics` options can replace, as vLLM's `--custom-histogram-buckets`. */
export interface BucketFamilies {
  readonly requestLatency: readonly number[];
  readonly timeToFirstToken: readonly number[];
  readonly interTokenLatency: readonly number[];
  readonly iterationTokens: readonly number[];
  readonly requestParamsN: readonly number[];
  readonly requestNumPreemptions: readonly number[];
  readonly requestTokens: readonly number[];
  readonly kvCacheResidency: readonly number[];
}

/** Rust's last token bound, whatever the model's context length. */
const RUST_LAST_TOKEN_BOUND = 131_072;

/** Token bounds: up to `maxModelLen` as Python, without it up to 131072 and that bound itself as Rust. */
function requestTokenBounds(maxModelLen: number | undefined): readonly number[] {
  if (maxModelLen !== undefined) return build125Buckets(maxModelLen);
  return [...build125Buckets(RUST_LAST_TOKEN_BOUND), RUST_LAST_TOKEN_BOUND];
}

export function defaultBuckets(maxModelLen: number | undefined): BucketFamilies {
  return {
    requestLatency: [
      0.3, 0.5, 0.8, 1, 1.5, 2, 2.5, 5, 10, 15, 20, 30, 40, 50, 60, 120, 240, 480, 960, 1920, 7680,
    ],
    timeToFirstToken: [
      0.001, 0.005, 0.01, 0.02, 0.04, 0.06, 0.08, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80, 160,
      640, 2560,
    ],
    interTokenLatency: [
      0.01, 0.025, 0.05, 0.075, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 20, 40, 80,
    ],
    iterationTokens: [1, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384],
    requestParamsN: [1, 2, 5, 10, 20],
    requestNumPreemptions: [1, 2, 3, 4, 5, 10, 20],
    requestTokens: requestTokenBounds(maxModelLen),
    kvCacheResidency: [
      0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200,
      1800,
    ],
  };
}

/** Bounds that no option replaces: vLLM's connectors fix them. */
export interface FixedBuckets {
  readonly nixlXferSeconds: readonly number[];
  readonly nixlPostSeconds: readonly number[];
  readonly nixlBytes: readonly number[];
  readonly nixlDescriptors: readonly number[];
  readonly mooncakeSeconds: readonly number[];
}

const NIXL_SECONDS: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.2, 0.3, 0.5, 0.75, 1, 5];

export const FIXED_BUCKETS: FixedBuckets = {
  nixlXferSeconds: NIXL_SECONDS,
  nixlPostSeconds: [0.001, ...NIXL_SECONDS],
  // 2 KiB to 8 GiB, each four times the last.
  nixlBytes: Array.from({ length: 12 }, (_, i) => 2 ** (11 + 2 * i)),
  nixlDescriptors: [10, 20, 30, 50, 75, 100, 200, 400, 1000, 2000, 4000, 10000, 20000, 50000],
  mooncakeSeconds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 1.5, 2, 3, 4],
};

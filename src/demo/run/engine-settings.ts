import type { EngineOptions, KVConnectorKind, StepTimeOptions } from '../../simulator/index.js';
import type { ConnectorName, DemoOptions } from '../command/options.js';
import { UsageError } from '../command/usage-error.js';
import type { Trace } from '../trace/trace.js';

/** Two engines of these carry the trace's mean load and run out of KV blocks at its peaks. */
const PRESETS: Readonly<Record<Trace['format'], { numKvBlocks: number; stepTime: StepTimeOptions }>> = {
  azure: { numKvBlocks: 1024, stepTime: { baseMs: 12, jitter: 0.1 } },
  // Ten times Azure's prompts: more memory, and faster ones.
  mooncake: { numKvBlocks: 384, stepTime: { baseMs: 6, perPrefillTokenMs: 0.03, jitter: 0.1 } },
};
const CONNECTORS: Readonly<Record<ConnectorName, KVConnectorKind>> = {
  nixl: 'nixl',
  mooncake: 'mooncake-store',
  multi: 'multi',
};
const TRANSFER_FAILURE_RATE = 0.02;
const DRAFT_ACCEPTANCE_RATE = 0.7;

/** KV blocks that the largest request needs, which it must have for itself. */
function blocksNeeded({ largestRequest, blockSize }: Trace): number {
  return Math.ceil((largestRequest + 1) / blockSize);
}

function numKvBlocksOf(trace: Trace, { kvBlocks }: DemoOptions): number {
  const needed = blocksNeeded(trace);
  if (kvBlocks === undefined) return Math.max(PRESETS[trace.format].numKvBlocks, needed);
  if (kvBlocks >= needed) return kvBlocks;
  throw new UsageError(
    '--kv-blocks',
    `at least ${needed} (of ${trace.blockSize} tokens) for the trace's largest request`,
    String(kvBlocks),
  );
}

/** The engines that a trace runs on. @throws {UsageError} if a request is too large for them. */
export function engineSettings(trace: Trace, options: DemoOptions): EngineOptions {
  const { errorRate, kvResidency, specTokens, lora, connector, mfu } = options;
  return {
    blockSize: trace.blockSize,
    numKvBlocks: numKvBlocksOf(trace, options),
    stepTime: PRESETS[trace.format].stepTime,
    errorRate,
    kvResidencySampleRate: kvResidency,
    ...(specTokens > 0 && {
      specDecoding: { numSpecTokens: specTokens, acceptanceRate: DRAFT_ACCEPTANCE_RATE },
    }),
    ...(lora > 0 && { maxLoras: maxLorasOf(lora) }),
    ...(connector !== undefined && {
      kvConnector: { kind: CONNECTORS[connector], failureRate: TRANSFER_FAILURE_RATE },
    }),
    ...(mfu && { perfModel: {} }),
  };
}

/** One adapter too few for all at once, so that requests are seen waiting for theirs. */
export function maxLorasOf(numAdapters: number): number {
  return Math.max(1, numAdapters - 1);
}

/** What `cache_config_info` shows, in vLLM's names. */
export function cacheConfigOf({ blockSize, numKvBlocks }: EngineOptions): Readonly<Record<string, unknown>> {
  return {
    block_size: blockSize,
    cache_dtype: 'auto',
    enable_prefix_caching: true,
    gpu_memory_utilization: 0.9,
    num_gpu_blocks: numKvBlocks,
  };
}

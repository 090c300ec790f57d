import type { EngineReady } from '../../engine-core/engine-ready.js';
import { OPAQUE_MAP } from '../fields/compound-types.js';
import { COUNT, FLAG, FLOAT_64, STRING } from '../fields/scalar-types.js';
import { type Field, readKeys, writeKeys } from '../fields/struct.js';
import { readMap } from '../msgpack/messages.js';
import { MsgpackWriter } from '../msgpack/msgpack-writer.js';

/** In the order of upstream's mock engine, with its values; last what release 0.32.0 adds. */
const READY_FIELDS: readonly Field[] = [
  { name: 'maxModelLen', key: 'max_model_len', type: COUNT, fallback: 1_048_576 },
  { name: 'numGpuBlocks', key: 'num_gpu_blocks', type: COUNT, fallback: 0 },
  { name: 'blockSize', key: 'block_size', type: COUNT, fallback: 16 },
  { name: 'dpStatsAddress', key: 'dp_stats_address', type: STRING },
  { name: 'dtype', key: 'dtype', type: STRING, fallback: 'float32' },
  { name: 'vllmVersion', key: 'vllm_version', type: STRING, fallback: 'rx-engine-metrics' },
  { name: 'worldSize', key: 'world_size', type: COUNT, fallback: 1 },
  { name: 'dataParallelSize', key: 'data_parallel_size', type: COUNT, fallback: 1 },
  { name: 'tensorParallelSize', key: 'tensor_parallel_size', type: COUNT, fallback: 1 },
  { name: 'pipelineParallelSize', key: 'pipeline_parallel_size', type: COUNT, fallback: 1 },
  { name: 'decodeContextParallelSize', key: 'decode_context_parallel_size', type: COUNT, fallback: 1 },
  { name: 'dataParallelRank', key: 'data_parallel_rank', type: COUNT, fallback: 0 },
  { name: 'maxNumSeqs', key: 'max_num_seqs', type: COUNT, fallback: 256 },
  { name: 'maxNumBatchedTokens', key: 'max_num_batched_tokens', type: COUNT, fallback: 8192 },
  { name: 'instanceId', key: 'instance_id', type: STRING, fallback: 'rx-engine-metrics' },
  { name: 'kvCacheSizeTokens', key: 'kv_cache_size_tokens', type: COUNT },
  { name: 'kvCacheMaxConcurrency', key: 'kv_cache_max_concurrency', type: FLOAT_64 },
  { name: 'kvEventsConfig', key: 'kv_events_config', type: OPAQUE_MAP },
  { name: 'weightTransferBackend', key: 'weight_transfer_backend', type: STRING },
  { name: 'enableSleepMode', key: 'enable_sleep_mode', type: FLAG, fallback: false },
  { name: 'supportsDraftWeightUpdates', key: 'supports_draft_weight_updates', type: FLAG, fallback: false },
  { name: 'supportsLora', key: 'supports_lora', type: FLAG, isOptional: true },
  { name: 'maxLoras', key: 'max_loras', type: COUNT, isOptional: true },
  { name: 'mambaBlockSize', key: 'mamba_block_size', type: COUNT, isOptional: true },
  {
    name: 'effectiveAttentionBlockSize',
    key: 'effective_attention_block_size',
    type: COUNT,
    isOptional: true,
  },
];

/**
 * The ready response, with the values of upstream's mock engine where the engine says nothing.
 * @throws {TypeError} or {@link RangeError} naming the field.
 */
export function encodeEngineReady(ready: EngineReady): Uint8Array<ArrayBuffer> {
  const writer = new MsgpackWriter();
  writeKeys(writer, READY_FIELDS, { ...ready }, 'EngineReady');
  return writer.bytes();
}

/**
 * Reads a ready response; what it does not know is ignored, an unreadable field absent.
 * @throws {WireDecodeError} if it is no map.
 */
export function decodeEngineReady(bytes: Uint8Array): EngineReady {
  const map = readMap(bytes);
  return readKeys(READY_FIELDS, map);
}

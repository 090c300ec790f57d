import type { DemoOptions } from '../../src/demo/command/options.js';
import { parseOptions } from '../../src/demo/command/parse-options.js';
import { Page } from '../../src/demo/report/page.js';
import { MODEL_NAME, Replay } from '../../src/demo/run/replay.js';
import { keptTrace, type Trace, type TraceFormat } from '../../src/demo/trace/trace.js';
import { readSamples } from '../../src/testing/read-samples.js';

/** A burst and a trickle: 120 requests in which 40-token prompts fight for few blocks. */
export function smallTrace(format: TraceFormat = 'azure'): Trace {
  const blockSize = format === 'azure' ? 16 : 512;
  const requests = Array.from({ length: 120 }, (_, i) => {
    const numPromptTokens = format === 'azure' ? 40 + (i % 7) : 1100 + i;
    const blockHashes = [i % 3, 10 + (i % 5), 1000 + i];
    return {
      arrivalTimeMs: i < 80 ? i : i * 50,
      numPromptTokens,
      numOutputTokens: 20 + (i % 11),
      ...(format === 'mooncake' && { blockHashes }),
    };
  });
  return keptTrace(format, blockSize, requests);
}

/** A finished replay, in virtual time, of a small trace with a pool that its burst overflows. */
export async function finishedReplay(
  partial: Partial<DemoOptions> = {},
  trace: Trace = smallTrace(),
): Promise<Replay> {
  const options = { ...parseOptions([]), kvBlocks: 24, abortRate: 0.3, errorRate: 0.1, ...partial };
  const replay = new Replay(trace, options);
  await replay.run();
  return replay;
}

/** A page's samples without the wall clock's time of each engine's last step. */
export async function samplesOf({ registry }: Replay): Promise<ReadonlyMap<string, number>> {
  const samples = await readSamples(registry);
  return new Map([...samples].filter(([key]) => !key.includes('last_step_timestamp_seconds')));
}

export async function pageOf(replay: Replay): Promise<Page> {
  return new Page(await readSamples(replay.registry), MODEL_NAME);
}

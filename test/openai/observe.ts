/** Bytes through `observeSse`, read by read. */
import { type ObserveSseOptions, observeSse, requestInfoOf } from '../../src/openai/index.js';
import type { Capture } from './captures.js';
import { Gateway } from './gateway.js';

/** The reads go in, what came out comes back; `leaves`: the client goes away after the last read. */
export async function passThrough(
  stream: TransformStream<Uint8Array, Uint8Array>,
  reads: Iterable<Uint8Array>,
  leaves = false,
): Promise<Uint8Array> {
  const writer = stream.writable.getWriter();
  const reader = stream.readable.getReader();
  const out: Uint8Array[] = [];
  const drained = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      out.push(value);
    }
  })();
  for (const read of reads) await writer.write(read);
  if (leaves) await reader.cancel();
  else await writer.close();
  await drained;
  return Buffer.concat(out);
}

/** Plays a capture, under the splits given or its own; the clock stands at each read's time. */
export async function play(
  capture: Capture,
  reads: readonly Uint8Array[] | undefined = undefined,
  options: ObserveSseOptions = {},
): Promise<{ gateway: Gateway; out: Uint8Array }> {
  const gateway = new Gateway();
  const start = gateway.nowMs;
  const handle = gateway.start(requestInfoOf(capture.request.body));
  if (capture.status >= 400) handle.fail();
  const timed = function* (): Iterable<Uint8Array> {
    for (const { ms, bytes } of capture.reads) {
      gateway.nowMs = start + ms;
      yield bytes;
    }
  };
  const leaves = capture.facts.end !== 'complete';
  const out = await passThrough(observeSse(handle, options), reads ?? timed(), leaves);
  return { gateway, out };
}

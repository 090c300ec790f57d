import { Subject } from 'rxjs';
import { expect, it } from 'vitest';
import { type EngineCoreOutputs, OutputRouter } from '../../../src/index.js';
import { Frontend, type Out, output, preempted, queued, scheduled } from '../support/frontend.js';

/** The LoRA series on the page, as `waiting|running`. */
async function adapters(frontend: Frontend): Promise<string[]> {
  const series = (await frontend.page()).starting('lora_requests_info');
  return series.map(([key]) =>
    key.replace(/^.*running_lora_adapters="(.*)",waiting_lora_adapters="(.*)".*$/u, '$2|$1'),
  );
}

const MOVES: readonly (readonly [Out, string])[] = [
  [{ ev: [queued(1)] }, 'a|'],
  [{ ev: [scheduled(2)] }, '|a'],
  [{ ev: [preempted(3)] }, 'a|'],
  [{ ev: [scheduled(4)] }, '|a'],
  [{ ev: [scheduled(5)] }, '|a'],
  [{ ev: [preempted(6)] }, 'a|'],
  [{ ev: [scheduled(7)] }, '|a'],
];

/*
 * B32 https://github.com/vllm-project/vllm/pull/14220, https://github.com/areal-project/AReaL/issues/751,
 * https://github.com/vllm-project/vllm/pull/26801
 * Removing an id from a set that no longer held it raised inside the loop that serves all requests.
 */
it('B32: an adapter follows its request in any order of events', async () => {
  const frontend = new Frontend();
  const client = frontend.arrive({ loraName: 'a' });
  for (const [out, expected] of MOVES) {
    client.out(out);
    expect(await adapters(frontend)).toEqual([expected]);
  }
  client.out({ tok: 1, fin: 'stop' }).out({ tok: 1, fin: 'stop' }).unsubscribe();

  expect(await adapters(frontend)).toEqual([]);
  expect((await frontend.page()).endings()).toEqual({ stop: 1 });
});

it('B32: an end that comes twice, or for an id never seen, is ignored by the router', async () => {
  const frontend = new Frontend();
  const router = new OutputRouter();
  const batches = new Subject<EngineCoreOutputs>();
  batches.subscribe(router);
  router
    .open('r1', 0)
    .pipe(frontend.operator({ loraName: 'a' }))
    .subscribe();
  const end = (requestId: string, out: Out) => ({ ...output(out).output, requestId });
  const outputs = [
    end('r1', { tok: 1, fin: 'stop' }),
    end('r1', { fin: 'stop' }),
    end('r1', { fin: 'abort' }),
  ];
  batches.next({ engineIndex: 0, timestamp: 1, outputs: [...outputs, end('never seen', { fin: 'abort' })] });
  batches.next({ engineIndex: 0, timestamp: 2, outputs: [], finishedRequests: ['r1', 'never seen'] });

  expect((await frontend.page()).endings()).toEqual({ stop: 1 });
  expect(await adapters(frontend)).toEqual([]);
});

/*
 * B34 https://github.com/vllm-project/vllm/pull/13303,
 * https://github.com/kubernetes-sigs/gateway-api-inference-extension/issues/354
 * Every combination of adapters became one more permanent series; readers had to pick the newest. The adapters are
 * known from the requests' own lives, so requests stand for the report's records. When idle the report wants the
 * series with empty lists; ours is gone, as in upstream's Rust frontend.
 */
it('B34: there is one series of adapters at a time, sorted, in Unix seconds, and none when idle', async () => {
  const frontend = new Frontend();
  const [b, a] = ['b', 'a'].map((loraName) => frontend.arrive({ loraName }).out({ ev: [scheduled(1)] }));
  expect(await adapters(frontend)).toEqual(['|a,b']);
  const [[, value]] = (await frontend.page()).starting('lora_requests_info') as [[string, number]];
  expect(Math.abs(value - Date.now() / 1000)).toBeLessThan(1);

  b!.unsubscribe();
  const c = frontend.arrive({ loraName: 'c' });
  expect(await adapters(frontend)).toEqual(['c|a']);

  a!.unsubscribe();
  c.unsubscribe();
  expect(await adapters(frontend)).toEqual([]);
});

/*
 * B35 https://github.com/vllm-project/vllm/pull/54830, https://github.com/vllm-project/vllm/issues/45325
 * Both lists were filled from the same names, with counts that may be 0: a router saw each active adapter twice.
 * Nothing tells us which adapters are loaded, so no residency is claimed.
 */
it('B35: an adapter is listed only where a request of it is', async () => {
  const frontend = new Frontend();
  frontend.arrive({ loraName: 'a' }).out({ ev: [queued(1), scheduled(2)] });
  expect(await adapters(frontend)).toEqual(['|a']);

  for (let i = 0; i < 2; i++) frontend.arrive({ loraName: 'b' });
  expect(await adapters(frontend)).toEqual(['b|a']);
});

// Engines send these maps empty: only Python's frontend fills them, and what it fills in is the report's fault.
it('B35: the maps in scheduler stats are not what the lists are made of', async () => {
  const frontend = new Frontend();
  frontend.step({ runningLoraAdapters: { a: 1 }, waitingLoraAdapters: { a: 0 } });
  expect(await adapters(frontend)).toEqual([]);
});

/** Requests of engines in Python that end otherwise than by themselves. */
import { filter, firstValueFrom } from 'rxjs';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { EngineLostError } from '../../../src/zeromq/index.js';
import { describeWithPython } from './describe-with-python.js';
import { ENGINES, EnginesRig, sum, upFrom, WITHOUT_END } from './engines-rig.js';

const ABORT = 2;

const endless = (requestId: string) => ({
  requestId,
  promptTokenIds: [1],
  samplingParams: { maxTokens: WITHOUT_END },
});

describeWithPython('engines in Python', () => {
  let rig: EnginesRig;

  beforeEach(async () => {
    rig = await EnginesRig.start();
  });

  afterEach(() => rig?.close());

  it('are told once of each client that leaves, and their page counts what the clients got', async () => {
    const requests = upFrom(0, 60).map((i) => ({
      id: `r${i}`,
      engine: ENGINES[i % 2]!,
      leavesAfter: i % 5 === 0 ? 1 + (i % 7) : undefined,
      request: { requestId: `r${i}`, promptTokenIds: [i], samplingParams: { maxTokens: 1 + i } },
    }));
    const streams = requests.map(({ engine, leavesAfter, request }) =>
      leavesAfter === undefined
        ? rig.open(request, engine)
        : rig.open({ ...request, samplingParams: { maxTokens: WITHOUT_END } }, engine, leavesAfter),
    );
    const seen = await Promise.all(streams);
    const reports = await rig.end();
    const page = await rig.recording.samples();
    for (const [i, { request, leavesAfter }] of requests.entries())
      expect(seen[i]!.tokens).toEqual(upFrom(i + 1, leavesAfter ?? request.samplingParams.maxTokens));
    for (const engine of ENGINES) {
      const { requests: served, aborts } = reports.get(engine)!;
      const own = requests.filter((each) => each.engine === engine);
      const leaving = own.filter(({ leavesAfter }) => leavesAfter !== undefined).map(({ id }) => id);
      expect([...aborts].sort()).toEqual([...leaving].sort());
      const got = sum(own.map(({ id }) => seen[Number(id.slice(1))]!.tokens.length));
      expect(page.value('generation_tokens_total', engine)).toBe(got);
      expect(page.success(engine)).toEqual({ abort: 6, length: 24 });
      // What was under way to clients that left is the engine's work all the same; each prompt is one token.
      const sent = sum(Object.values(served).map(({ tokens }) => tokens.length));
      expect(sent).toBeGreaterThanOrEqual(got);
      expect(page.value('iteration_tokens_total_sum', engine)).toBe(sent + own.length);
      expect([page.inFlight(engine), page.value('num_requests_running', engine)]).toEqual([0, 0]);
    }
    expect([rig.diagnostics, rig.recording.diagnostics]).toEqual([[], []]);
  });

  it('abort all that they have if they are told to pause so', async () => {
    const ids = upFrom(0, 6).map(String); // four run, two wait
    const streams = ids.map((id) => rig.open(endless(id), 258));
    expect(await rig.client.utility('pause_scheduler', ['abort', false], 258)).toEqual([undefined]);
    expect(await rig.client.utility('is_sleeping')).toEqual([false, true]);
    const seen = await Promise.all(streams);
    expect(seen.map(({ finishReason }) => finishReason)).toEqual(ids.map(() => 'abort'));
    const { requests, aborts } = (await rig.end()).get(258)!;
    expect(aborts).toEqual([]);
    expect(ids.map((id) => requests[id]!.finish_reason)).toEqual(ids.map(() => ABORT));
    expect(ids.map((id) => requests[id]!.tokens)).toEqual(seen.map(({ tokens }) => tokens));
    const page = await rig.recording.samples();
    expect(page.success(258)).toEqual({ abort: 6 });
    expect(page.value('generation_tokens_total', 258)).toBe(sum(seen.map(({ tokens }) => tokens.length)));
  });

  it('have their scheduler’s figures on the page', async () => {
    const { client, recording } = rig;
    let batches = 0;
    client.batches$.subscribe(() => batches++);
    const streams = upFrom(0, 6).map((i) => client.generate(endless(`r${i}`), { engineIndex: 0 }));
    const first = firstValueFrom(streams[0]!);
    const others = streams.slice(1).map((stream) => stream.subscribe());
    await first; // whose client leaves with it
    await client.utility('pause_scheduler', ['keep', false], 0);
    const page = await recording.samples();
    const seen = batches;
    for (const subscription of others) subscription.unsubscribe();
    const { stats } = (await rig.end()).get(0)!;
    const last = stats[seen - 1]!;
    expect([last.num_running_reqs + last.num_waiting_reqs, last.num_waiting_reqs > 0]).toEqual([5, true]);
    expect(page.value('num_requests_running')).toBe(last.num_running_reqs);
    expect(page.value('num_requests_waiting')).toBe(last.num_waiting_reqs);
    expect(page.value('kv_cache_usage_perc')).toBe(last.kv_cache_usage);
    expect((await recording.samples()).value('num_requests_running')).toBe(0);
  });

  it('answer calls with what they were given, or say that they do not know the method', async () => {
    const args = [null, -1, 2 ** 53 - 1, 0.1, 'ü'.repeat(40), [[], { a: [true] }]];
    expect(await rig.client.utility('echo', args)).toEqual([args, args]);
    const sings = rig.client.utility('sing', [], 258);
    await expect(sings).rejects.toThrow('sing: engine 258 failed: no method sing');
  });

  it('deliver what they have made when they exit', async () => {
    const ids = upFrom(0, 6).map(String);
    const streams = ids.map((id) => rig.open(endless(id), 258));
    await firstValueFrom(rig.client.batches$);
    const { requests } = await rig.engine(258).end();
    const seen = await Promise.all(streams);
    expect(seen.map(({ tokens }) => tokens)).toEqual(ids.map((id) => requests[id]!.tokens));
    const page = await rig.recording.samples();
    expect(page.value('generation_tokens_total', 258)).toBe(sum(seen.map(({ tokens }) => tokens.length)));
  });

  it.each<[how: string, reason: string, lose: () => Promise<unknown>]>([
    ['are killed', 'its connection closed', () => rig.engine(258).kill()],
    ['exit', 'its connection closed', () => rig.engine(258).end()],
    // Without its mode: an error in the engine's loop, as upstream's reports them.
    ['fail', 'ENGINE_CORE_DEAD', () => rig.client.utility('pause_scheduler', [], 258).catch(() => {})],
  ])('end their streams with EngineLostError when they %s, and come back', async (_, reason, lose) => {
    const { client } = rig;
    const streams = upFrom(0, 6).map((i) => rig.open(endless(`r${i}`), 258));
    const hasOutputs = (engine: number) =>
      firstValueFrom(client.batches$.pipe(filter(({ engineIndex }) => engineIndex === engine)));
    const other = client.generate(endless('other'), { engineIndex: 0 }).subscribe();
    await hasOutputs(258);
    await lose();
    const seen = await Promise.all(streams);
    for (const { error } of seen) expect(error).toBeInstanceOf(EngineLostError);
    for (const { error } of seen) expect(error).toMatchObject({ engineIndex: 258, reason });
    await hasOutputs(0); // goes on
    other.unsubscribe();
    const tokens = seen.map((each) => each.tokens);
    expect(tokens).toEqual(tokens.map(({ length }) => upFrom(2, length)));
    const page = await rig.recording.samples();
    expect(page.success(258)).toEqual({ error: 6 });
    expect(page.value('generation_tokens_total', 258)).toBe(sum(tokens.map(({ length }) => length)));

    const isBack = firstValueFrom(
      client.status$.pipe(filter(({ engineIndex, state }) => engineIndex === 258 && state === 'ready')),
    );
    await rig.restart(258);
    await isBack;
    const again = { ...endless('again'), samplingParams: { maxTokens: 3 } };
    expect(await rig.open(again, 258)).toEqual({ tokens: [2, 3, 4], finishReason: 'length' });
    expect(Object.keys((await rig.end()).get(258)!.requests)).toEqual(['again']);
  });
});

/** Engines that go, in every way they can, and come back. */
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { afterEach, expect, it } from 'vitest';
import { ServingMetrics, withRequestMetrics } from '../../src/index.js';
import { readSamples } from '../../src/testing/index.js';
import { connectEngines, EngineLostError, serveEngines } from '../../src/zeromq/index.js';
import { freePort } from '../support/free-port.js';
import { RawEngine } from './raw-engine.js';
import { closeAll, eventually, HandSource, keep, loopback, watch } from './rig.js';

afterEach(closeAll);

const request = (requestId: string) => ({ requestId, promptTokenIds: [1], samplingParams: { maxTokens: 4 } });
const lost = (engineIndex: number, reason: string | RegExp = 'its connection closed') =>
  expect.objectContaining({
    name: 'EngineLostError',
    engineIndex,
    reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
  });

/** An address that nobody uses yet. */
const address = async () => `tcp://127.0.0.1:${await freePort()}`;

it.each(['own', 'one'])(
  'ends the streams of an engine that is killed, outputs on sockets: %s',
  async (sockets) => {
    const source = new HandSource();
    const output = sockets === 'one' ? await address() : undefined;
    const { client, server } = await loopback(source, 2, { output });
    const registry = new Registry();
    const metrics = new ServingMetrics({ registry, modelName: 'm', engines: [0, 1] });
    const open = (id: string, engineIndex: number) =>
      watch(client.generate(request(id), { engineIndex }).pipe(withRequestMetrics(metrics, {})));
    const [a, b, other] = [open('a', 0), open('b', 0), open('c', 1)];
    await source.until(({ submitted }) => submitted.length === 3);
    const began = performance.now();
    server.kill(0);
    expect(await Promise.all([a.ended, b.ended])).toEqual([lost(0), lost(0)]);
    expect(performance.now() - began).toBeLessThan(5_000);
    source.token(1, 'c', true);
    expect(await other.ended).toBe('complete');
    const samples = await readSamples(registry);
    expect(samples.get('vllm:request_success_total{engine="0",finished_reason="error",model_name="m"}')).toBe(
      2,
    );
    expect(client.generate(request('d')).engineIndex).toBe(1);
  },
);

it('serves an engine again that was started anew, and nothing of its earlier life', async () => {
  const source = new HandSource();
  const { client, server } = await loopback(source, 1);
  const states: string[] = [];
  client.status$.subscribe(({ engineIndex, state }) => states.push(`${engineIndex} ${state}`));
  const a = watch(client.generate(request('a')));
  const call = client.utility('is_sleeping').catch(() => {});
  await call;
  server.kill(0);
  await a.ended;
  await server.start(0);
  await eventually(() => states.at(-1) === '0 ready');
  expect(states).toEqual(['0 ready', '0 lost', '0 ready']);
  const b = watch(client.generate(request('b')));
  await source.until(({ submitted }) => submitted.at(-1)?.request.requestId === 'b');
  source.token(0, 'a', true);
  source.token(0, 'b', true);
  expect([await b.ended, a.seen]).toEqual(['complete', [lost(0)]]);
});

it('loses an engine that says HELLO while it is ready', async () => {
  const handshake = await address();
  const [client, first] = await Promise.all([
    connectEngines({ handshake, engines: 1 }),
    RawEngine.connect(0, handshake),
  ]);
  keep(client);
  keep(first);
  const a = watch(client.generate(request('a')));
  await eventually(() => first.received.length === 1);
  keep(await RawEngine.connect(0, handshake));
  expect(await a.ended).toEqual(lost(0, 'it started anew'));
  await eventually(() => client.generate(request(`b${Math.random()}`)).engineIndex === 0);
});

it('delivers what an engine sent before it went', async () => {
  const source = new HandSource();
  const { client, server } = await loopback(source, 1);
  const a = watch(client.generate(request('a')));
  await source.until(({ submitted }) => submitted.length === 1);
  for (let i = 0; i < 500; i++) source.token(0, 'a');
  source.token(0, 'a', true);
  await server.die(0);
  expect(await a.ended).toBe('complete');
  expect(a.seen).toHaveLength(502);
});

it('loses the engine that sends ENGINE_CORE_DEAD', async () => {
  const source = new HandSource();
  const { client, server } = await loopback(source, 2);
  const [a, b] = [0, 1].map((engineIndex) =>
    watch(client.generate(request(`${engineIndex}`), { engineIndex })),
  );
  await source.until(({ submitted }) => submitted.length === 2);
  server.sendRaw(1, Buffer.from('ENGINE_CORE_DEAD'));
  expect(await b!.ended).toEqual(lost(1, 'ENGINE_CORE_DEAD'));
  source.token(0, '0', true);
  expect(await a!.ended).toBe('complete');
});

it('finds out by asking who is dead, where all outputs come on one socket', { timeout: 10_000 }, async () => {
  const handshake = await address();
  const source = new HandSource();
  const [client, , dead] = await Promise.all([
    connectEngines({ handshake, engines: 2, output: await address() }),
    serveEngines(source, { handshake, engines: [0] }).then(keep),
    RawEngine.connect(1, handshake), // answers nothing
  ]);
  keep(client);
  keep(dead);
  const [a, b] = [0, 1].map((engineIndex) =>
    watch(client.generate(request(`${engineIndex}`), { engineIndex })),
  );
  await source.until(({ submitted }) => submitted.length === 1);
  const began = performance.now();
  await dead.output.send('ENGINE_CORE_DEAD');
  expect(await b!.ended).toEqual(lost(1, 'ENGINE_CORE_DEAD'));
  expect(performance.now() - began).toBeGreaterThan(1_900);
  source.token(0, '0', true);
  expect(await a!.ended).toBe('complete');
});

it('loses an engine that is silent for heartbeatMs and does not answer in as long again', async () => {
  const handshake = await address();
  const source = new HandSource();
  const [client, , hung] = await Promise.all([
    connectEngines({ handshake, engines: 2, heartbeatMs: 200 }),
    serveEngines(source, { handshake, engines: [0] }).then(keep),
    RawEngine.connect(1, handshake),
  ]);
  keep(client);
  keep(hung);
  const [a, b] = [0, 1].map((engineIndex) =>
    watch(client.generate(request(`${engineIndex}`), { engineIndex })),
  );
  const call = client.utility('is_sleeping', [], 1);
  const rejected = expect(call).rejects.toThrow(EngineLostError);
  expect(await b!.ended).toEqual(lost(1, /^silent for 200 ms/));
  await rejected;
  await eventually(() => hung.received.some(([type]) => type![0] === 1)); // the ABORT of what it had
  source.token(0, '0', true);
  expect(await a!.ended).toBe('complete');
});

it('loses an engine whose message is larger than allowed', async () => {
  const source = new HandSource();
  const { client, server } = await loopback(source, 2, { maxMessageBytes: 10_000 });
  const a = watch(client.generate(request('a'), { engineIndex: 1 }));
  await source.until(({ submitted }) => submitted.length === 1);
  server.sendRaw(1, new Uint8Array(20_000));
  expect(await a.ended).toEqual(lost(1));
});

it('is not disturbed by connections that are opened and closed, or that speak another protocol', async () => {
  const handshake = await address();
  const [client, engine] = await Promise.all([
    connectEngines({ handshake, engines: 1 }),
    RawEngine.connect(0, handshake),
  ]);
  keep(client);
  keep(engine);
  const a = watch(client.generate(request('a')));
  await eventually(() => engine.received.length === 1);
  const [input, output] = [engine.input, engine.output].map((socket) => socket.lastEndpoint!);
  for (const endpoint of [input!, output!, output!, handshake]) {
    const socket = connect(Number(endpoint.split(':').pop()), '127.0.0.1');
    await new Promise((resolve) => socket.on('connect', resolve));
    if (endpoint === output) socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(10));
    socket.on('error', () => {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
  }
  await new Promise((resolve) => setTimeout(resolve, 700)); // the last probe is sent 500 ms after a disconnect
  expect(a.seen).toEqual([]);
});

it('names the engines that are missing at the time-out, and frees the address', async () => {
  const handshake = await address();
  const here = RawEngine.connect(0, handshake).then(keep);
  await expect(connectEngines({ handshake, engines: 3, readyTimeoutMs: 300 })).rejects.toThrow(
    'connectEngines: expected engines 0, 1, 2 to be ready within 300 ms, missing 1 (not heard of), 2 (not heard of)',
  );
  await here;
  await expect(connectEngines({ handshake, engines: 1, signal: AbortSignal.timeout(50) })).rejects.toThrow(
    /before the signal aborted, missing 0/,
  );
  await expect(connectEngines({ handshake, engines: 1, signal: AbortSignal.abort('no') })).rejects.toThrow(
    expect.objectContaining({ cause: 'no' }),
  );
});

it.each([
  [{ handshake: 'nowhere', engines: 1 }, TypeError, /^handshake/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 0 }, RangeError, /^engines/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: '1' }, TypeError, /^engines/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: [] }, RangeError, /^engines/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: [1, 1] }, RangeError, /^engines/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: [65_536] }, RangeError, /^engines/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 1, host: '' }, TypeError, /^host/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 1, input: 7 }, TypeError, /^input/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 1, readyTimeoutMs: 0 }, RangeError, /^readyTimeoutMs/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 1, heartbeatMs: -1 }, RangeError, /^heartbeatMs/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 1, maxMessageBytes: 0.5 }, RangeError, /^maxMessageBytes/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 1, onDiagnostic: 'log' }, TypeError, /^onDiagnostic/],
  [{ handshake: 'tcp://127.0.0.1:1', engines: 1, signal: true }, TypeError, /^signal/],
  [undefined, TypeError, /^connectEngines/],
] as const)('refuses %o', async (options, kind, message) => {
  const error = await connectEngines(options as never).catch((thrown) => thrown);
  expect(error).toBeInstanceOf(kind);
  expect(error.message).toMatch(message);
});

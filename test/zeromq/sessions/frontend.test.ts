/** The recorded engines, byte for byte, against our frontend: it sends what upstream's sent, and delivers what it got. */
import { encode } from '@msgpack/msgpack';
import { afterEach, describe, expect, it } from 'vitest';
import { RequestStreamClosedError } from '../../../src/index.js';
import { EngineLostError } from '../../../src/zeromq/index.js';
import { closeAll } from '../rig.js';
import { type Conversation, conversation, NAMES, type Name } from './conversation.js';
import { addressesOf, withAddresses } from './expected-bytes.js';
import { FrontendRun } from './frontend-run.js';
import { framesIn, textOf } from './received.js';
import { recordedBatches, recordedStreams } from './recorded-outputs.js';

afterEach(closeAll);

/**
 * What our frontend sends that the recorded one did not, by place. Beside it only the addresses in an INIT differ: they
 * are its own. Everything else is the same, byte for byte.
 */
const SENT_BESIDES: { readonly [name in Name]?: Readonly<Record<string, readonly string[]>> } = {
  // A dead engine may still listen: it is told to drop what it has. Upstream's client only fails its streams.
  'engine-core-dead': { 'input 0': [textOf([Uint8Array.of(1), encode(['req-1'])])] },
};

/** What the consumer of each request sees: the tokens of each output, then how the stream ended. */
const STREAMS: Readonly<Record<(typeof NAMES)[number], readonly string[]>> = {
  'handshake-1-engine': [],
  'handshake-4-engines': [],
  'one-request-5-tokens': ['req-1: 1 1 1 1 1 length'],
  'chunk-size-4': ['req-chunk: 4 4 2 length'],
  'four-engines-six-requests': [0, 1, 2, 3, 4, 5].map((index) => `req-${index}: 1 1 length`),
  'utility-calls': [],
  'engine-core-dead': ['req-1: 1 EngineLostError'],
  'finished-requests-without-final-output': ['req-1: 1 RequestStreamClosedError'],
  // Upstream's Rust client ends the stream at the first of these messages that it does not know; ours goes on.
  'undecodable-output': ['req-1: 1 1 stop'],
  'output-with-one-more-field': ['req-1: 1 1 stop'],
  'empty-message': ['req-1: 1 1 stop'],
  'short-arrays-and-stats': ['req-1: 1 1 1 1 1 length'],
};

const ENDS: { readonly [name in Name]?: unknown } = {
  'engine-core-dead': new EngineLostError(0, 'ENGINE_CORE_DEAD'),
  'finished-requests-without-final-output': new RequestStreamClosedError(
    'req-1',
    0,
    'the end of the request',
  ),
};

/** What is said of a message that is skipped. */
const DIAGNOSTICS: { readonly [name in Name]?: readonly object[] } = {
  'undecodable-output': [{ source: 'output', message: expect.stringMatching(/; skipped, 1 so far$/) }],
};

const ANSWERS: { readonly [name in Name]?: readonly unknown[] } = {
  'utility-calls': [[false], [true], [undefined], [undefined]], // of one engine, nil being nothing
};

/** What our frontend is to send at a place, to engines that it told `init`. */
function expectedAt(recorded: Conversation, place: string, init: Uint8Array): readonly string[] {
  const same = recorded.steps
    .filter((step) => step.speaker === 'frontend' && step.place === place)
    .map(({ socket, frames }) =>
      textOf(socket === 'handshake' ? [withAddresses(frames[0]!, addressesOf(init))] : frames),
    );
  return [...same, ...(SENT_BESIDES[recorded.name]?.[place] ?? [])];
}

function placesOf({ engines }: Conversation): readonly string[] {
  return Array.from({ length: engines }, (_, index) => [`handshake ${index}`, `input ${index}`]).flat();
}

async function expectSameBytes(run: FrontendRun, recorded: Conversation): Promise<void> {
  for (const place of placesOf(recorded)) {
    const [init] = await run.sent(place.replace('input', 'handshake'), 1);
    const expected = expectedAt(recorded, place, framesIn(init!)[0]!);
    expect({ [place]: await run.sent(place, expected.length) }).toEqual({ [place]: expected });
  }
}

describe.each([
  ['an output address for each engine', false],
  ['one output address', true],
])('connectEngines with %s', (_name, sharedOutput) => {
  it.each(NAMES)('sends the bytes of %s, and delivers its outputs', async (name) => {
    const recorded = conversation(name);
    const run = await FrontendRun.play(recorded, sharedOutput);
    await expectSameBytes(run, recorded);
    expect(run.batches).toEqual(recordedBatches(recorded));
    expect(run.streams).toEqual(recordedStreams(recorded, ENDS[name] ?? 'complete'));
    expect(run.streams.map(inWords)).toEqual(STREAMS[name]);
    expect(run.answers).toEqual(ANSWERS[name] ?? []);
    expect(run.diagnostics).toEqual(DIAGNOSTICS[name] ?? []);
  });
});

function inWords({ requestId, outputs, end }: FrontendRun['streams'][number]): string {
  const tokens = outputs.map(({ output }) => output.newTokenIds.length);
  const ending = end === 'complete' ? outputs.at(-1)?.output.finishReason : (end as Error).name;
  return [`${requestId}:`, ...tokens, ending].join(' ');
}

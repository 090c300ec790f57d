import { config, type Observable, Subject, Subscription } from 'rxjs';
import { afterEach, expect, it } from 'vitest';
import {
  DuplicateRequestIdError,
  type EngineCoreOutputs,
  type EngineCoreStreamOutput,
  OutputRouter,
  RequestStreamClosedError,
  withRequestMetrics,
} from '../../../src/index.js';
import { engineOutput } from '../../../src/testing/index.js';
import { Frontend } from '../support/frontend.js';

afterEach(() => {
  config.useDeprecatedNextContext = false;
});

const token = (requestId: string, tokens = 1) => engineOutput(tokens, { requestId }).output;
const last = (requestId: string) => engineOutput(1, { requestId, finishReason: 'stop' }).output;

/** A frontend whose streams come from a router. */
class RoutedFrontend extends Frontend {
  readonly router: OutputRouter = new OutputRouter();

  send(engineIndex: number, outputs: EngineCoreOutputs['outputs'], finishedRequests: string[] = []): void {
    this.router.next({ engineIndex, timestamp: 1, outputs, finishedRequests });
  }

  stream(requestId: string, engineIndex: number): Observable<EngineCoreStreamOutput> {
    return this.router
      .open(requestId, engineIndex)
      .pipe(withRequestMetrics(this.metrics, { numPromptTokens: 3 }));
  }

  /** Subscribes, and keeps the sizes of the outputs and how it ended. */
  consume(requestId: string, engineIndex: number, onEnd?: () => void): Consumer {
    const seen: unknown[] = [];
    const subscription = new Subscription();
    const end = (how: unknown) => {
      seen.push(how);
      onEnd?.();
    };
    subscription.add(
      this.stream(requestId, engineIndex).subscribe({
        next: ({ output }) => seen.push(output.newTokenIds.length),
        error: end,
        complete: () => end('complete'),
      }),
    );
    return { seen, subscription };
  }

  async endings(engine: number): Promise<Record<string, number>> {
    return (await this.page({ engine: `${engine}` })).endings();
  }
}

interface Consumer {
  readonly seen: unknown[];
  readonly subscription: Subscription;
}

/*
 * https://github.com/vllm-project/vllm/issues/27987, https://github.com/vllm-project/vllm/issues/45688
 * A prefill leg and a decode leg under one id: the second is opened while the end of the first is being told. The
 * message that ended the first one then ended the second.
 */
it.each([0, 1])(
  'vllm#27987, #45688: a second leg under the same id, on engine %i, is not ended by the first',
  async (engine) => {
    const frontend = new RoutedFrontend({ engines: [0, 1] });
    let second: Consumer | undefined;
    const first = frontend.consume('a', 0, () => {
      second = frontend.consume('a', engine);
    });
    frontend.send(0, [last('a')], ['a']);
    expect([first.seen, second?.seen]).toEqual([[1, 'complete'], []]);

    frontend.send(1 - engine, [token('a', 7), last('a')], ['a']); // what the other engine sends is nobody's
    expect(second?.seen).toEqual([]);
    frontend.send(engine, [token('a', 2)]);
    frontend.send(engine, [last('a')], ['a']);
    expect(second?.seen).toEqual([2, 1, 'complete']);
    expect(await frontend.endings(0)).toEqual({ stop: engine === 0 ? 2 : 1 });
  },
);

/*
 * https://github.com/vllm-project/vllm/issues/24382, https://github.com/vllm-project/vllm/issues/10583
 * A client sends its request again under the same id after it gave up; a Python engine never says that it let go.
 */
it('vllm#24382, #10583: the id again after an abort is free at once on another engine', () => {
  const frontend = new RoutedFrontend({ engines: [0, 1] });
  frontend.consume('a', 0).subscription.unsubscribe();
  expect(() => frontend.router.open('a', 0)).toThrow(DuplicateRequestIdError);
  const again = frontend.consume('a', 1);
  frontend.send(0, [token('a', 5)]); // under way when the abort was sent
  frontend.send(1, [last('a')]);
  expect(again.seen).toEqual([1, 'complete']);
});

/*
 * https://github.com/vllm-project/vllm/issues/38862, https://github.com/vllm-project/vllm/issues/39863
 * One of several engines dies; its clients wait for ever and its requests in flight stay on the page.
 */
it('vllm#38862, #39863: an engine that died ends its own streams as errors, and is counted', async () => {
  const frontend = new RoutedFrontend({ engines: [0, 1] });
  const [a, b, other] = [frontend.consume('a', 0), frontend.consume('b', 0), frontend.consume('c', 1)];
  frontend.send(0, [token('a')]);
  const cause = new Error('engine 0 is gone');
  frontend.router.failEngine(0, cause);

  expect(a.seen).toEqual([1, expect.any(RequestStreamClosedError)]);
  expect(b.seen).toEqual([expect.objectContaining({ requestId: 'b', engineIndex: 0, cause })]);
  expect(other.seen).toEqual([]);
  expect([await frontend.endings(0), await frontend.endings(1)]).toEqual([{ error: 2 }, {}]);
  expect(frontend.metrics.inFlight).toBe(1);
  expect(frontend.metrics.forEngine(0).requestsInFlight.value).toBe(0);

  const back = frontend.consume('a', 0);
  frontend.send(0, [last('a')]);
  expect(back.seen).toEqual([1, 'complete']);
});

/*
 * A finding of our own: a consumer that makes the engine step while a batch is delivered; the stream of a later output
 * of that batch got the new one first, and never the old one.
 */
it('a consumer that makes the engine step while it is served loses nothing of what others are sent', async () => {
  const frontend = new RoutedFrontend();
  let stepped = false;
  frontend.stream('a', 0).subscribe(() => {
    if (!stepped) frontend.send(0, [token('b', 2), last('b')]);
    stepped = true;
  });
  const b = frontend.consume('b', 0);
  frontend.send(0, [token('a'), token('b', 1)]);
  expect(b.seen).toEqual([1, 2, 1, 'complete']);
  expect(frontend.metrics.forEngine(0).generationTokens.value).toBe(5);
  expect(await frontend.endings(0)).toEqual({ stop: 1 });
});

/*
 * A finding of our own: rxjs.config.useDeprecatedNextContext, which old hosts set, calls observers with a `this` of
 * rxjs; every batch threw.
 */
it('rxjs.config.useDeprecatedNextContext: batches reach their streams', async () => {
  config.useDeprecatedNextContext = true;
  const frontend = new RoutedFrontend();
  const batches = new Subject<EngineCoreOutputs>();
  batches.subscribe(frontend.router);
  const [a, b] = [frontend.consume('a', 0), frontend.consume('b', 0)];
  batches.next({ engineIndex: 0, timestamp: 1, outputs: [last('a')] });
  batches.complete();
  expect(a.seen).toEqual([1, 'complete']);
  expect(b.seen).toEqual([expect.any(RequestStreamClosedError)]);
  expect(await frontend.endings(0)).toEqual({ stop: 1, error: 1 });
});

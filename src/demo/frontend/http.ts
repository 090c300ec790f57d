import type { Context, Hono } from 'hono';
import type { Observable, Subscription } from 'rxjs';
import { ApiError } from './api-error.js';

type Handler = (context: Context) => Response | Promise<Response>;

/** A route for one method; any other is told which (RFC 9110, 15.5.6). GET answers HEAD too. */
export function only(app: Hono, method: 'GET' | 'POST', path: string, handler: Handler): void {
  app.on(method, path, handler);
  const allow = method === 'GET' ? 'GET, HEAD' : method;
  app.all(path, ({ req }) => {
    throw new ApiError(405, `${req.method} ${req.path}: expected ${allow}`, { headers: { allow } });
  });
}

/** An event of a server-sent stream; without a name it is a message. */
export interface ServerEvent {
  readonly name?: string;
  readonly data: string;
}

/** Events that wait for a reader before it counts as slow; a turn of the live page's are two. */
const MOST_WAITING = 16;
const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

/**
 * A stream of events. Whoever stops reading unsubscribes the source, at once. With `dropsWhenSlow` a reader that does
 * not keep up misses events; else they wait for it, so the source must have an end.
 */
export function eventStream(
  events: Observable<ServerEvent>,
  { dropsWhenSlow = false }: { readonly dropsWhenSlow?: boolean } = {},
): Response {
  let subscription: Subscription | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        subscription = events.subscribe({
          next: (event) => {
            if (!dropsWhenSlow || (controller.desiredSize ?? 0) > 0) controller.enqueue(bytesOf(event));
          },
          complete: () => controller.close(),
          error: (error: unknown) => controller.error(error),
        });
      },
      cancel() {
        subscription?.unsubscribe();
      },
    },
    new CountQueuingStrategy({ highWaterMark: MOST_WAITING }),
  );
  return new Response(body, { headers: HEADERS });
}

const ENCODER = new TextEncoder();

function bytesOf({ name, data }: ServerEvent): Uint8Array {
  return ENCODER.encode(`${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`);
}

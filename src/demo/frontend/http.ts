import type { Context, Hono } from 'hono';
import type { Observable } from 'rxjs';
import { ApiError } from './openai/api-error.js';

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

const HEADERS = { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' };

/**
 * A stream of events. Whoever stops reading unsubscribes the source, at once. With `dropsWhenSlow` a reader that does
 * not keep up misses events; else they wait for it, so the source must have an end.
 */
export function eventStream(
  events: Observable<ServerEvent>,
  { dropsWhenSlow = false }: { readonly dropsWhenSlow?: boolean } = {},
): Response {
  const encoder = new TextEncoder();
  let leave = () => {};
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const subscription = events.subscribe({
        next: ({ name, data }) => {
          if (dropsWhenSlow && (controller.desiredSize ?? 0) <= 0) return;
          controller.enqueue(
            encoder.encode(`${name === undefined ? '' : `event: ${name}\n`}data: ${data}\n\n`),
          );
        },
        complete: () => controller.close(),
        error: (error: unknown) => controller.error(error),
      });
      leave = () => subscription.unsubscribe();
    },
    cancel() {
      leave();
    },
  });
  return new Response(body, { headers: HEADERS });
}

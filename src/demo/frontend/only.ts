import type { Context, Hono } from 'hono';
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

import { Hono } from 'hono';
import { renderMetrics } from '../../index.js';
import { ApiError } from './api-error.js';
import { controlRoutes } from './control-routes.js';
import { only } from './http.js';
import type { LiveServing } from './live-serving.js';
import { openAiRoutes } from './openai/routes.js';
import { pageFiles } from './page-files.js';
import type { TraceLoad } from './trace-load.js';

/** All that is served, by path. */
export function frontendApp(serving: LiveServing, load: TraceLoad): Hono {
  const app = new Hono();
  const { registry } = serving;
  only(app, 'GET', '/metrics', async (c) =>
    c.body(await renderMetrics(registry), 200, { 'content-type': registry.contentType }),
  );
  only(app, 'GET', '/health', (c) => c.body(null, serving.fleet.isServing ? 200 : 503));
  openAiRoutes(app, serving);
  controlRoutes(app, serving, load);
  pageFiles(app);
  app.notFound(({ req }) => new ApiError(404, `${req.path}: expected /, /v1, /api or /metrics`).toResponse());
  app.onError((error) => (error instanceof ApiError ? error : new ApiError(500, String(error))).toResponse());
  return app;
}

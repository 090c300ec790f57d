import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import type { Hono } from 'hono';
import { ApiError } from './api-error.js';
import { only } from './http.js';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
};

/** The page as `npm start` builds it, beside the program; names of one folder at most, so none leads out of it. */
const FOLDER = new URL('./page/', import.meta.url);
const NAME = /^(?:assets\/)?[\w-]+(?:\.[\w-]+)+$/;

export function pageFiles(app: Hono, folder: URL = FOLDER): void {
  only(app, 'GET', '/', () => fileResponse(folder, 'index.html'));
  only(app, 'GET', '/assets/:name', ({ req }) => fileResponse(folder, `assets/${req.param('name')}`));
}

async function fileResponse(folder: URL, name: string): Promise<Response> {
  const type = TYPES[extname(name)];
  const missing = new ApiError(404, `${name}: expected a file of the page, which npm start builds`);
  if (type === undefined || !NAME.test(name)) throw missing;
  try {
    return new Response(await readFile(new URL(name, folder)), { headers: { 'content-type': type } });
  } catch {
    throw missing;
  }
}

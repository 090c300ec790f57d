/** Compact copies of facts from outside, kept in `test/fixtures`. */
import { readdirSync, readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const FOLDER = new URL('../fixtures/', import.meta.url);

/** Names of the copies in a folder of `test/fixtures`, without `.gz`. */
export function fixtureNames(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, FOLDER))
    .filter((name) => name.endsWith('.json.gz'))
    .map((name) => name.slice(0, -'.gz'.length))
    .sort();
}

/** The JSON of one copy, by its path without `.gz`: `golden/python-lora.json`. */
export function readFixture<T>(path: string): T {
  return JSON.parse(gunzipSync(readFileSync(new URL(`${path}.gz`, FOLDER))).toString('utf8')) as T;
}

/**
 * Measures every row of the table, each section in a process of its own so that none runs on code another one has
 * warmed up; prints the table, and with `--write` puts it into the README between its markers. `--only NAME` runs
 * one section.
 */
import { fork } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Row } from './harness.js';

/** The sections, and what V8 needs for them. */
const SECTIONS: Readonly<Record<string, readonly string[]>> = {
  lifecycle: [],
  pipeline: [],
  memory: ['--expose-gc', '--max-semi-space-size=512'],
  scheduler: [],
  decoder: ['--max-semi-space-size=64'],
  render: ['--expose-gc'],
  scale: ['--max-old-space-size=12000'],
  startup: [],
  openai: [],
};

function runSection(name: string, flags: readonly string[]): Promise<readonly Row[]> {
  const file = fileURLToPath(new URL(`./${name}.bench.js`, import.meta.url));
  const child = fork(file, { execArgv: [...flags] });
  let rows: readonly Row[] = [];
  child.on('message', (message) => {
    rows = message as readonly Row[];
  });
  return new Promise((resolve, reject) => {
    child.on('exit', (code) =>
      code === 0 ? resolve(rows) : reject(new Error(`bench ${name}: exit code ${code}`)),
    );
  });
}

function mark(met: boolean | undefined): string {
  if (met === undefined) return '';
  return met ? 'met' : 'missed';
}

function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ what, measured, target, met }) => `| ${what} | ${measured} | ${target} | ${mark(met)} |`,
  );
  return ['| what | measured: median (min–max) | target | |', '| --- | --- | --- | --- |', ...lines].join(
    '\n',
  );
}

function conditions(): string {
  const day = new Date().toISOString().slice(0, 10);
  return `Written by \`npm run bench -- --write\` on ${day}: Node ${process.versions.node}, ${cpus().length} cores, one run.`;
}

function writeReadme(table: string): void {
  const readme = new URL('../../../README.md', import.meta.url);
  const text = readFileSync(readme, 'utf8');
  const between = /(<!-- bench:start -->)[\s\S]*(<!-- bench:end -->)/;
  if (!between.test(text))
    throw new Error('README: expected the markers bench:start and bench:end, got none');
  writeFileSync(readme, text.replace(between, `$1\n${conditions()}\n\n${table}\n$2`));
}

const { values } = parseArgs({ options: { write: { type: 'boolean' }, only: { type: 'string' } } });
const rows: Row[] = [];
for (const [name, flags] of Object.entries(SECTIONS)) {
  if (values.only !== undefined && values.only !== name) continue;
  rows.push(...(await runSection(name, flags)));
}
const table = tableOf(rows);
console.log(`${conditions()}\n\n${table}`);
if (values.write) writeReadme(table);

/**
 * Measures every row of the table, each section in a process of its own so that none runs on code another one has
 * warmed up; prints the table. `--only NAME` runs one section; `--write` puts the whole table into test/bench/README.md
 * and its headlines into the README.
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
  'whole-path': [],
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

/** The rows that the README repeats. */
const HEADLINES: readonly string[] = [
  'pipeline: `withRequestMetrics` against `tap(noop)`, per output',
  'lifecycle, kept prom-client handles against ours',
  'bytes allocated per output / per scheduler record / kept per stats-log tick',
  'one scheduler record (four draft positions, MFU) against plain unvalidated writes',
  '`renderMetrics` at 64 engines, every cell moved',
];

function headlinesOf(rows: readonly Row[]): readonly Row[] {
  return HEADLINES.map((headline) => {
    const row = rows.find(({ what }) => what === headline);
    if (row === undefined) throw new Error(`bench: expected a row "${headline}", got none`);
    return row;
  });
}

/** Compiled, this file lies as deep in `.bench` as in the project, so the project is one folder further up. */
function write(document: string, rows: readonly Row[]): void {
  const path = new URL(`../../../${document}`, import.meta.url);
  const text = readFileSync(path, 'utf8');
  const between = /(<!-- bench:start -->)[\s\S]*(<!-- bench:end -->)/;
  if (!between.test(text))
    throw new Error(`${document}: expected the markers bench:start and bench:end, got none`);
  const part = `\n${conditions()}\n\n${tableOf(rows)}\n`;
  writeFileSync(
    path,
    text.replace(between, (_, start, end) => start + part + end),
  );
}

const { values } = parseArgs({ options: { write: { type: 'boolean' }, only: { type: 'string' } } });
if (values.write && values.only !== undefined) throw new Error('bench: expected --write or --only, got both');
const rows: Row[] = [];
for (const [name, flags] of Object.entries(SECTIONS)) {
  if (values.only !== undefined && values.only !== name) continue;
  rows.push(...(await runSection(name, flags)));
}
console.log(`${conditions()}\n\n${tableOf(rows)}`);
if (values.write) {
  write('test/bench/README.md', rows);
  write('README.md', headlinesOf(rows));
}

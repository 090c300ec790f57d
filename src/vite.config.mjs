/**
 * The package as few files: Node takes 0.4 ms for each ES module that it loads, 40 ms for one file a concept and 7 ms
 * for these. With `--mode demo`: the program that `npm start` runs; with `--mode page`: the page that it serves.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { defineConfig } from 'vite';
import { declarations } from './vite.declarations.mjs';

const HERE = import.meta.dirname;

/** `index` for `.`, `testing/index` for `./testing`: the entries are what package.json exports. */
const { exports: published } = JSON.parse(readFileSync(resolve(HERE, '../package.json'), 'utf8'));
const ENTRIES = Object.keys(published)
  .filter((name) => name !== './package.json')
  .map((name) => (name === '.' ? 'index' : `${name.slice(2)}/index`));

const inputs = (names) => Object.fromEntries(names.map((name) => [name, resolve(HERE, `${name}.ts`)]));

const output = (format, folder) => ({
  format,
  entryFileNames: `${folder}[name].js`,
  chunkFileNames: `${folder}shared/[name].js`,
});

/** What several entries share, as one file beside the wire's: as three files the import took 1 ms more. */
const together = {
  codeSplitting: {
    groups: [
      { name: 'wire', minShareCount: 2, test: /\/src\/wire\// },
      { name: 'common', minShareCount: 2 },
    ],
  },
};

/** Says that the files beside it are CommonJS, as the package as a whole is not. */
const commonJs = {
  name: 'common-js',
  generateBundle({ format }) {
    if (format !== 'cjs') return;
    this.emitFile({ type: 'asset', fileName: 'cjs/package.json', source: '{"type":"commonjs"}\n' });
  },
};

const library = {
  input: inputs(ENTRIES),
  preserveEntrySignatures: 'strict', // an entry exports what its file does, whatever other entries take from behind it
  output: [
    { ...output('es', 'esm/'), ...together },
    { ...output('cjs', 'cjs/'), ...together },
  ],
};

/** What two programs share is neither's: a program runs when it is loaded. */
const demo = {
  input: inputs(['demo/main', 'demo/engines/main']),
  output: [
    {
      ...output('es', ''),
      chunkFileNames: 'demo/shared/[name].js', // the library has chunks of the same names
      // Loaded for --handshake only.
      codeSplitting: {
        includeDependenciesRecursively: false,
        groups: [{ name: 'sockets', test: /src\/(?:zeromq|wire)\// }],
      },
    },
  ],
};

/** For the browser, uPlot included: the page needs no network beyond its server. */
const page = {
  root: resolve(HERE, 'demo/page'),
  base: './',
  logLevel: 'warn',
  build: { target: 'es2023', outDir: resolve(HERE, '../dist/esm/demo/page'), emptyOutDir: true },
};

const forNode = (mode) => ({
  root: resolve(HERE, '..'),
  logLevel: 'warn',
  plugins: mode === 'demo' ? [] : [commonJs, declarations(ENTRIES)],
  build: {
    ssr: true, // for Node: packages and builtins are imported, not taken in
    target: 'es2022',
    outDir: mode === 'demo' ? 'dist/esm' : 'dist',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: mode === 'demo' ? demo : library,
  },
});

export default defineConfig(({ mode }) => (mode === 'page' ? page : forNode(mode)));

/**
 * The package as few files: Node takes 0.4 ms for each ES module that it loads, 40 ms for one file a concept and 7 ms
 * for these. Types stay what `tsc` makes of each file. With `--mode demo`: the program that `npm start` runs.
 */
import { resolve } from 'node:path';
import { defineConfig } from 'vite';

const HERE = import.meta.dirname;

const entries = (...names) => Object.fromEntries(names.map((name) => [name, resolve(HERE, `${name}.ts`)]));

const output = (format, folder) => ({
  format,
  entryFileNames: `${folder}[name].js`,
  chunkFileNames: `${folder}shared/[name].js`,
});

/** Says that the files beside it are CommonJS, as the package as a whole is not. */
const commonJs = {
  name: 'common-js',
  generateBundle({ format }) {
    if (format !== 'cjs') return;
    this.emitFile({ type: 'asset', fileName: 'cjs/package.json', source: '{"type":"commonjs"}\n' });
  },
};

const library = {
  input: entries('index', 'testing/index', 'simulator/index'),
  output: [output('es', 'esm/'), output('cjs', 'cjs/')],
};

const demo = { input: entries('demo/main'), output: [output('es', '')] };

export default defineConfig(({ mode }) => ({
  root: resolve(HERE, '..'),
  logLevel: 'warn',
  plugins: mode === 'demo' ? [] : [commonJs],
  build: {
    ssr: true, // for Node: packages and builtins are imported, not taken in
    target: 'es2022',
    outDir: mode === 'demo' ? 'dist/esm' : 'dist',
    emptyOutDir: false,
    minify: false,
    rolldownOptions: mode === 'demo' ? demo : library,
  },
}));

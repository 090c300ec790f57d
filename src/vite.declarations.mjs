/**
 * One file of declarations an entry, without what is marked `@internal`. A name that an earlier entry exports is
 * imported from there, not declared again: two declarations of a class with private fields are two types.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { dts } from 'rolldown-plugin-dts';
import { build } from 'vite';

const HERE = import.meta.dirname;
const sourceOf = (entry) => resolve(HERE, `${entry}.ts`);

const EXPORT_LIST = /^export (?:type )?(?:\*|\{([^}]*)\}) from '([^']+)';/gm;
const DECLARED = /^export (?:declare |abstract |async )*(?:class|interface|type|function|const) ([\w$]+)/gm;

/** The names that an export list takes from a file; all of them without a list. */
function namesIn(list, file) {
  if (list === undefined) return [...readFileSync(file, 'utf8').matchAll(DECLARED)].map(([, name]) => name);
  return list.split(',').map((name) => name.replace(/\btype /, '').trim());
}

/** What an entry exports, by file: its index holds export lists only. */
function exportsByFile(entry) {
  const index = sourceOf(entry);
  const lists = [...readFileSync(index, 'utf8').matchAll(EXPORT_LIST)];
  const found = lists.map(([, list, specifier]) => {
    const file = resolve(dirname(index), specifier.replace(/\.js$/, '.ts'));
    return [file, namesIn(list, file).filter((name) => name !== '')];
  });
  return new Map([[index, found.flatMap(([, names]) => names)], ...found]);
}

/** The declarations of `to`, as those of `from` import them. */
function specifierOf(from, to) {
  const path = relative(dirname(from), `${to}.js`).replaceAll('\\', '/');
  return path.startsWith('.') ? path : `./${path}`;
}

/** `Symbol.dispose` is newer than the library a host may compile with; TypeScript has its part since 5.2. */
const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

const DOOR = '.door.d.ts';

/** Puts a door in front of each file that earlier entries export from: their names lead there, all others inside. */
function doors(entry, earlier) {
  const owners = earlier.map((other) => [specifierOf(entry, other), exportsByFile(other)]);
  const elsewhere = (file) => {
    const owned = new Map();
    for (const [target, files] of owners) {
      for (const name of files.get(file) ?? []) if (!owned.has(name)) owned.set(name, target);
    }
    return [...owned].map(([name, target]) => `export { ${name} } from '${target}';`);
  };
  return {
    name: 'doors',
    resolveId: {
      order: 'pre',
      handler(source, importer = '') {
        if (importer.endsWith(DOOR)) {
          return owners.some(([target]) => source === target) ? { id: source, external: 'absolute' } : null;
        }
        if (importer === '' || !source.startsWith('.')) return null;
        const file = resolve(dirname(importer), source.replace(/\.js$/, ''));
        return elsewhere(`${file}.ts`).length === 0 ? null : file + DOOR;
      },
    },
    load(id) {
      if (!id.endsWith(DOOR)) return null;
      const file = id.slice(0, -DOOR.length);
      return [...elsewhere(`${file}.ts`), `export * from '${file}.js';`].join('\n');
    },
  };
}

async function declarationsOf(entry, earlier) {
  const { output } = await build({
    configFile: false,
    root: resolve(HERE, '..'),
    logLevel: 'warn',
    plugins: [doors(entry, earlier), dts({ dtsOnly: true, tsconfig: resolve(HERE, 'tsconfig.json') })],
    oxc: false, // what it would compile are declarations
    build: {
      ssr: true,
      write: false,
      rolldownOptions: {
        input: { [entry]: sourceOf(entry) },
        external: /^[\w@]/, // packages: nobody else's declarations are taken in
        output: { format: 'es' },
      },
    },
  });
  if (output.length !== 1)
    throw new Error(`${entry}: expected one file of declarations, got ${output.length}`);
  return output[0].code;
}

/** The declarations of all entries, for both module systems. An entry may refer to those before it in the list. */
export function declarations(entries) {
  let made;
  return {
    name: 'declarations',
    async generateBundle({ format }) {
      made ??= Promise.all(entries.map((entry, i) => declarationsOf(entry, entries.slice(0, i))));
      const folder = format === 'cjs' ? 'cjs' : 'esm';
      for (const [i, source] of (await made).entries()) {
        const head = source.includes('[Symbol.dispose]') ? DISPOSABLE : '';
        const fileName = `${folder}/${entries[i]}.d.ts`;
        this.emitFile({ type: 'asset', fileName, source: `${head}${source}\n` });
      }
    },
  };
}

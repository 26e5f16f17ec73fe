import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Metafile, Plugin } from 'esbuild';
import { iconSheet } from './icons.js';

/** Files by their names. The name of each, but for `index.html`, changes with its contents. */
export type PageFiles = Map<string, Uint8Array | string>;

/** Every view that is read later begins with the modules of the first one. These are one file then, and not one for each set of views. */
const afterFirst = (main: string): Plugin => ({
  name: 'after-first',
  setup(build) {
    build.onResolve({ filter: /^\./ }, async ({ kind, path, importer, resolveDir }) => {
      if (kind !== 'dynamic-import') return undefined;
      const found = await build.resolve(path, { kind: 'import-statement', importer, resolveDir });
      return { path: found.path, errors: found.errors, namespace: 'view' };
    });
    build.onLoad({ filter: /^/, namespace: 'view' }, ({ path }) => ({
      contents: `import ${JSON.stringify(main)};\nexport * from ${JSON.stringify(path)};`,
      resolveDir: dirname(path),
    }));
  },
});

/** The paths of a script and of those that it imports, and not of those that it reads when a view needs them. */
function withImports(path: string, outputs: Metafile['outputs'], found = new Set<string>()): Set<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { path: next, kind } of outputs[path]!.imports)
    if (kind === 'import-statement') withImports(next, outputs, found);
  return found;
}

/**
 * Makes the files of the page.
 * @param folder that of the sources
 */
export async function bundle(folder: string): Promise<PageFiles> {
  const { build, stop } = await import('esbuild');
  const files: PageFiles = new Map();
  const picture = (stem: string, text: string): string => {
    const name = `${stem}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}.svg`;
    files.set(name, text);
    return JSON.stringify(`/page/${name}`);
  };
  const main = join(folder, 'browser/main.tsx');
  const { outputFiles, metafile } = await build({
    entryPoints: [main, join(folder, 'static/page.css')],
    absWorkingDir: folder,
    outdir: 'page',
    bundle: true,
    splitting: true,
    minify: true,
    metafile: true,
    write: false,
    format: 'esm',
    target: 'es2023',
    plugins: [afterFirst(main)],
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    publicPath: '/page/',
    loader: { '.woff2': 'file' },
    define: {
      ICON: picture('icon', readFileSync(join(folder, 'static/icon.svg'), 'utf8')),
      ICONS: picture('icons', iconSheet()),
    },
  });
  // Otherwise its process stays as long as this one.
  await stop();
  for (const { path, contents } of outputFiles) files.set(basename(path), contents);
  const names = [...files.keys()];
  const first = Object.keys(metafile.outputs).find(
    (path) => metafile.outputs[path]!.entryPoint === 'browser/main.tsx',
  )!;
  const links = [...withImports(first, metafile.outputs)].map(
    (path) => `<link rel="modulepreload" href="/page/${basename(path)}" />`,
  );
  const html = readFileSync(join(folder, 'static/index.html'), 'utf8')
    .replace('<!-- modules -->', links.slice(1).join('\n    '))
    .replaceAll(/\/page\/(\w+)\.(\w+)/g, (path, stem: string, type: string) => {
      const name = names.find((one) => one.startsWith(`${stem}-`) && one.endsWith(`.${type}`));
      return name === undefined ? path : `/page/${name}`;
    });
  return files.set('index.html', html);
}

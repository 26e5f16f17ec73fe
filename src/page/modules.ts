import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The modules of the page. Their sources are TypeScript with JSX, compiled with the service. */
const BROWSER = join(__dirname, 'browser');

/** The modules of packages, by the names that modules of the page and of packages import them by. */
const PACKAGES: Readonly<Record<string, string>> = {
  preact: 'preact.js',
  'preact/hooks': 'hooks.js',
  'preact/jsx-runtime': 'jsx-runtime.js',
  papaparse: 'papaparse.js',
};

/** Packages that are no modules for browsers: the file that they have for them, and what the page imports from it. */
const COMMON: Readonly<Record<string, { file: string; names: string }>> = {
  papaparse: { file: 'papaparse/papaparse.min.js', names: 'parse' },
};

/** A CommonJS module as one for browsers. */
const wrapped = (text: string, names: string): string =>
  `const module = { exports: {} }, { exports } = module;\n${text}\nexport const { ${names} } = module.exports;\n`;

/** A module: its name below `/page`, and what makes its text. */
interface PageModule {
  name: string;
  text: () => string;
}

const IMPORT = /\b(from|import)\s?(["'])(@?\w[\w@./-]*)\2/g;

/**
 * A module for browsers, which know no names of packages: they have their addresses in place of their names.
 * @throws Error if the module imports another package
 */
export function browserModule(text: string): string {
  return text
    .replace(IMPORT, (_, word: string, __, name: string) => {
      const file = PACKAGES[name];
      if (file === undefined) throw new Error(`A module of the page imports ${name}, which is not among its packages`);
      return `${word} "/page/${file}"`;
    })
    .replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '');
}

/** JavaScript of a module. Where the service runs from its sources, as in tests, they are compiled as those of the service are. */
function compiled(name: string): string {
  const built = join(BROWSER, `${name}.js`);
  if (existsSync(built)) return readFileSync(built, 'utf8');
  const source = [`${name}.tsx`, `${name}.ts`].map((file) => join(BROWSER, file)).find((file) => existsSync(file))!;
  const { transformFileSync } = require('@swc/core') as typeof import('@swc/core');
  return transformFileSync(source, {
    jsc: {
      parser: { syntax: 'typescript', tsx: source.endsWith('x') },
      transform: { react: { runtime: 'automatic', importSource: 'preact' } },
      target: 'es2023',
      // As the build makes them smaller (`scripts/run.mjs`).
      minify: { compress: false, mangle: true, format: { comments: false } },
    },
    minify: true,
    module: { type: 'es6' },
    swcrc: false,
  }).code;
}

const STATEMENTS = /(?:^|;)(?=import|export)/m;
const STATIC_IMPORT = /^(?:import|export)[^;"'(=]*["'](\.{1,2}\/[^"']+|\/page\/[^"']+)["']/;

/** The paths of the modules that a module imports, and not of those that it reads when a view needs them. */
export const importsOf = (text: string): string[] =>
  text.split(STATEMENTS).flatMap((statement) => STATIC_IMPORT.exec(statement)?.[1] ?? []);

/** Names of a module and of those that it cannot begin without. */
export function closureOf(modules: readonly PageModule[], name: string): string[] {
  const byName = new Map(modules.map((one) => [one.name, one]));
  const found = new Set<string>();
  const follow = (one: string): void => {
    const module = byName.get(one);
    if (!module || found.has(one)) return;
    found.add(one);
    for (const path of importsOf(module.text()))
      follow(new URL(path, `http://page/page/${one}`).pathname.slice('/page/'.length));
  };
  follow(name);
  return [...found];
}

/** Every module that the page loads. */
export function pageModules(): PageModule[] {
  const names = readdirSync(BROWSER, { encoding: 'utf8', recursive: true })
    .filter((file) => /\.(?:js|tsx?)$/.test(file) && !/(?:^types|\.spec|\.d)\.\w+$/.test(file))
    .map((file) => file.replace(/\.\w+$/, '').replaceAll('\\', '/'));
  return [
    ...Object.entries(PACKAGES).map(([name, file]) => {
      // Checked at the start and not at the first request, so that a changed package cannot break the page unnoticed.
      const common = COMMON[name];
      const source = readFileSync(require.resolve(common?.file ?? name), 'utf8');
      const text = browserModule(common ? wrapped(source, common.names) : source);
      return { name: file, text: () => text };
    }),
    ...names.map((name) => ({ name: `${name}.js`, text: () => browserModule(compiled(name)) })),
  ];
}

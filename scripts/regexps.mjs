// `npm run check -- regexps`: checks that every regular expression in src and scripts takes a time in proportion to its text. Literals are read
// from the sources. What a module makes with `new RegExp` is recorded while the module is loaded; what a function makes has an example
// below. What was checked is listed in regexps.txt, and not checked again: a check takes up to a minute, and an expression does not
// change. `-- --all` checks everything again. With `-- --check` nothing is checked, but the list must be complete. The checker comes
// from npm on demand. It does not look into look-arounds, so they must not have a quantifier without a bound.
// The patterns of custom fields are matched by RE2, which takes linear time whatever they are (ADR 22).
import './help.mjs';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseSync } from '@swc/core';
import { build } from './run.mjs';

const CHECKER = 'recheck@4.5.0';

/** Milliseconds. The default timeout would report slow expressions on a busy machine. */
const TIMES = { timeout: 300_000, incubationTimeout: 60_000, attackTimeout: 60_000 };

/** Expressions that functions build from given texts, by file: an example of each. */
const EXAMPLES = {
  'scripts/resource.mjs': [String.raw`\b(?:class|const|function|interface|type) (Site|CreateSite|UpdateSite)\b`],
  'src/database/database-errors.ts': ['^device_ports_'],
  'src/http/server/route-table.ts': ['^/api/([^/]+)/([^/]+)/?$', '^/page/(.*)/?$'],
};

const { values: options } = parseArgs({
  options: { all: { type: 'boolean', default: false }, check: { type: 'boolean', default: false } },
});
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const list = join(root, 'scripts', 'regexps.txt');

/** The checker, which is downloaded; undefined if it cannot be. */
function checker() {
  const directory = mkdtempSync(join(tmpdir(), 'regexps-'));
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }));
  const flags = ['--prefix', directory, '--no-save', '--ignore-scripts', '--omit=optional', '--loglevel=error'];
  if (spawnSync('npm', ['install', ...flags, CHECKER], { stdio: ['ignore', 'ignore', 2] }).status !== 0)
    return undefined;
  // Its other engines need a JVM or a binary.
  process.env.RECHECK_BACKEND = 'pure';
  return createRequire(join(directory, 'package.json'))('recheck').checkSync;
}

/** The literals of a syntax tree, and the calls of `RegExp`. */
function* expressionsIn(node) {
  if (node === null || typeof node !== 'object') return;
  if (node.type === 'RegExpLiteral' || (node.callee?.type === 'Identifier' && node.callee.value === 'RegExp'))
    yield node;
  for (const child of Object.values(node)) yield* expressionsIn(child);
}

/** Places of expressions by their text. */
const places = new Map();
function add(pattern, flags, file) {
  const text = `/${pattern}/${flags}`;
  const known = places.get(text);
  if (known) known.files.add(file);
  else places.set(text, { pattern, flags, files: new Set([file]) });
}

/** The number of calls of `RegExp` by their file. */
const calls = new Map();
for (const folder of ['src', 'scripts']) {
  for (const entry of readdirSync(join(root, folder), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/(?<!\.spec)\.(?:ts|tsx|js|mjs|cjs)$/.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const typed = /\.tsx?$/.test(file);
    const syntax = typed
      ? { syntax: 'typescript', tsx: file.endsWith('x'), decorators: true }
      : { syntax: 'ecmascript', jsx: false };
    const name = file.slice(root.length + 1);
    for (const one of expressionsIn(parseSync(readFileSync(file, 'utf8'), { ...syntax, target: 'es2024' }))) {
      if (one.type === 'RegExpLiteral') add(one.pattern, one.flags, name);
      else calls.set(name, (calls.get(name) ?? 0) + 1);
    }
  }
}

/** The places where modules make expressions while they are loaded, by their file. */
const made = new Map();
const built = join(root, 'dist');
/** The compiled module, and the position in it, of a line of a stack. */
function placeIn(line) {
  const start = line.indexOf(`${built}/`);
  if (start < 0) return [];
  const [module, ...at] = line.slice(start + built.length + 1).split(':');
  return [module.replace(/\.js$/, '.ts'), at.join(':')];
}
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, values, self) {
    const expression = Reflect.construct(target, values, self);
    const [module, at] = placeIn(new Error('made').stack.split('\n')[2]);
    if (module) {
      made.set(module, (made.get(module) ?? new Set()).add(at));
      add(expression.source, expression.flags, module);
    }
    return expression;
  },
});
await build();
const load = createRequire(join(root, 'package.json'));
for (const file of calls.keys()) {
  // Entries do their work when they are loaded, and the page needs a browser.
  if (!file.startsWith('src/') || EXAMPLES[file]) continue;
  load(join(built, file.replace(/\.ts$/, '.js')));
}
for (const [file, patterns] of Object.entries(EXAMPLES)) for (const pattern of patterns) add(pattern, '', file);

/** The contents of a group, after its opening parenthesis. */
function groupAt(pattern, start) {
  let depth = 1;
  for (let at = start; at < pattern.length; at++) {
    if (pattern[at] === '\\') at++;
    else if (pattern[at] === '(') depth++;
    else if (pattern[at] === ')' && --depth === 0) return pattern.slice(start, at);
  }
  return pattern.slice(start);
}

/** Whether a look-around has unbounded length. It is evaluated again at every position of the text. */
const looksFar = (pattern) =>
  Array.from(pattern.matchAll(/\(\?<?[=!]/g)).some(({ index, 0: { length } }) =>
    /[*+]|\{\d+,\}/.test(groupAt(pattern, index + length).replace(/\[[^\][]{0,200}\]|\\./g, 'x')),
  );

let wrong = 0;
for (const [file, count] of calls) {
  const missing = count - (made.get(file)?.size ?? 0);
  if (missing <= 0 || EXAMPLES[file]) continue;
  wrong++;
  console.error(`${file} makes expressions when it runs: give an example of them in scripts/regexps.mjs`);
}
const listed = new Set(readFileSync(list, 'utf8').split('\n').slice(0, -1));
const unlisted = [...places.keys()].filter((text) => options.all || !listed.has(text));
const checkSync = unlisted.length > 0 && !options.check ? checker() : undefined;
if (unlisted.length > 0 && !checkSync && !options.check) {
  console.error('The checker could not be downloaded');
  process.exit(1);
}

/** The fault of an expression; undefined if there is none. */
function faultOf(pattern, flags) {
  if (!checkSync) return 'was not checked: run `npm run check -- regexps`, and commit scripts/regexps.txt';
  const { status, complexity, error } = checkSync(pattern, flags, TIMES);
  if (status === 'vulnerable') return `takes ${complexity.summary} time`;
  return status === 'unknown' && error.kind !== 'unsupported' ? `was not checked: ${error.kind}` : undefined;
}

const refused = new Set();
for (const [text, { pattern, flags, files }] of places) {
  const fault = looksFar(pattern)
    ? 'has a look-around without a bound'
    : unlisted.includes(text)
      ? faultOf(pattern, flags)
      : undefined;
  if (fault === undefined) continue;
  refused.add(text);
  console.error(`${text} ${fault}: ${[...files].join(', ')}`);
}
wrong += refused.size;
if (!options.check) {
  const checked = [...places.keys()].filter((text) => !refused.has(text)).toSorted();
  writeFileSync(list, checked.map((text) => `${text}\n`).join(''));
}
const total = [...calls.values()].reduce((sum, count) => sum + count, 0);
console.log(
  `${places.size} regular expressions, ${total} places that make them included: ${unlisted.length} not checked before, ${wrong} refused`,
);
if (wrong > 0 || places.size < 100) process.exitCode = 1;

// `npm run sdk`: writes sdk/typescript/schema.d.ts, the types of openapi.json, unless it is current. Everything that reads the types
// (type check, lint, build, tests) does this first.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const schema = join(root, 'sdk', 'typescript', 'schema.d.ts');

/** The inputs of the types: the document, the generator, and this script. */
function digest() {
  const hash = createHash('sha256');
  for (const file of ['openapi.json', 'node_modules/openapi-typescript/package.json', 'scripts/sdk.mjs']) {
    hash.update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

/** The types without comments at the uses of parameters. The component has the comment, and a parameter has up to a hundred uses. */
function withoutRepeated(types) {
  const lines = [];
  for (const line of types.split('\n')) {
    if (line.includes(' components["parameters"]') && lines.at(-1)?.endsWith('*/'))
      while (!lines.pop().trimStart().startsWith('/**'));
    lines.push(line);
  }
  return lines.join('\n');
}

export async function sdk() {
  const head = `// Made by \`npm run sdk\` from openapi.json.\n// ${digest()}\n`;
  if (existsSync(schema) && readFileSync(schema, 'utf8').startsWith(head)) return;
  const { default: openapiTS, astToString } = await import('openapi-typescript');
  const document = JSON.parse(readFileSync(join(root, 'openapi.json'), 'utf8'));
  const types = astToString(await openapiTS(document, { alphabetize: true, defaultNonNullable: false }));
  // Another process may read or write the file at the same time.
  const draft = `${schema}.${process.pid}`;
  writeFileSync(draft, head + withoutRepeated(types));
  renameSync(draft, schema);
}

// The build imports `sdk` only.
if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await import('./help.mjs');
  await sdk();
}

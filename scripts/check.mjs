// `npm run check` checks the types; `npm run check -- <name>` runs another check.
import { spawnSync } from 'node:child_process';

const NODE = process.execPath;
const typescript = [NODE, 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'];
const source = (file, ...rest) => [NODE, 'scripts/source.cjs', file, ...rest];
const npm = (...args) => ['npm', 'run', '--silent', ...args];

/** The checks by name: the description and the commands of each. Further arguments go to the last command. */
const CHECKS = {
  types: ['the types', [NODE, 'scripts/sdk.mjs'], typescript],
  document: [
    'that openapi.json and queries/ are current',
    source('src/cli/queries.ts', '--check'),
    source('src/cli/openapi.ts', '--check'),
  ],
  'document-style': ['openapi.json with two linters that are downloaded', [NODE, 'scripts/openapi-lint.mjs']],
  rules: ['that a test fails for each rule that is broken on purpose', source('test/red-first/run.ts')],
  fuzz: ['valid, boundary and hostile requests to every operation', [NODE, 'test/hostile/run.cjs']],
  regexps: ['that regular expressions take a time in proportion to their text', [NODE, 'scripts/regexps.mjs']],
  manifests: ['deploy/kubernetes against the schemas of Kubernetes', [NODE, 'scripts/manifests.mjs']],
  image: ['the steps of the Dockerfile, without a container engine', [NODE, 'scripts/image.mjs']],
  generators: ['that ten generators of clients read the document', [NODE, 'scripts/generators.mjs']],
  audit: ['the packages for known vulnerabilities', [NODE, 'scripts/audit.mjs']],
  all: [
    'types, style, the document and `npm test`',
    npm('check'),
    npm('lint'),
    npm('check', '--', 'document'),
    npm('test'),
  ],
};

const [name = 'types', ...rest] = process.argv.slice(2);
const check = CHECKS[name];
if (name === '--help' || name === '-h') {
  const width = Math.max(...Object.keys(CHECKS).map((one) => one.length));
  const lines = Object.entries(CHECKS).map(([one, [about]]) => `  ${one.padEnd(width)}  checks ${about}`);
  process.stdout.write(
    `Usage: npm run check -- [<name> [options]], npm run check for the types\n${lines.join('\n')}\n`,
  );
} else if (!check) {
  process.stderr.write(`There is no check '${name}'. npm run check -- --help lists them\n`);
  process.exitCode = 1;
} else {
  const commands = check.slice(1);
  for (const [index, [program, ...args]] of commands.entries()) {
    const isLast = index === commands.length - 1;
    const { status } = spawnSync(program, [...args, ...(isLast ? rest : [])], { stdio: 'inherit' });
    if (status !== 0) process.exit(status ?? 1);
  }
}

// `npm run clients`: generates the Python and the Go client from the OpenAPI 3.0 document, compiles them, reads and writes every
// record with them, and uses them against a running service. See docs/clients.md. Parts that the machine cannot run print
// SKIPPED; failures set the exit status to 1.
import './help.mjs';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { samples } from './clients/samples.mjs';
import {
  ADMINISTRATOR,
  documents,
  install,
  root,
  run,
  runs,
  Skipped,
  startService,
  work,
} from './clients/workshop.mjs';

/** The last package that contains its jar. Later ones download theirs at run time. */
const GENERATOR = '@openapitools/openapi-generator-cli@1.0.18-4.3.1';
/** Where Debian installs the sources of Go libraries, including the one that the Go client imports. */
const DEBIAN_GO = '/usr/share/gocode';
const GO_PACKAGE = 'example.com/inventory/client';
const { email: EMAIL, password: PASSWORD } = ADMINISTRATOR;

const programs = join(root, 'scripts', 'clients');
const out = join(root, 'clients');

function fetchGenerator() {
  if (!runs('java', ['-version'])) throw new Skipped('Java is not installed');
  install(GENERATOR);
  return join(work, 'node_modules', '@openapitools', 'openapi-generator-cli', 'bin', 'openapi-generator.jar');
}

function generate(jar, language, directory, ...options) {
  rmSync(directory, { recursive: true, force: true });
  const input = join(work, 'openapi-3.0.json');
  // The generated tests are empty stubs, whose examples use reserved words of the language.
  const stubs = ['--global-property', 'modelTests=false,apiTests=false'];
  run('java', ['-jar', jar, 'generate', '-i', input, '-g', language, '-o', directory, ...stubs, ...options]);
}

function python(jar) {
  generate(jar, 'python', join(out, 'python'), '--package-name', 'inventory_client');
  if (!runs('python3', ['--version'])) throw new Skipped('Python, which compiles it, is not installed');
  run('python3', ['-m', 'compileall', '-q', join(out, 'python')]);
  // Only Debian's interpreter sees Debian's packages, and it need not be the first one.
  const interpreter = ['python3', '/usr/bin/python3'].find((name) =>
    runs(name, ['-c', 'import urllib3, dateutil, certifi, six']),
  );
  if (!interpreter) throw new Skipped('compiled, but not run: it needs python3-urllib3, -dateutil, -certifi and -six');
  return (url) =>
    run(interpreter, [join(programs, 'check.py'), join(work, 'samples.json'), url, EMAIL, PASSWORD], {
      env: { PYTHONPATH: join(out, 'python') },
    });
}

function go(jar) {
  const [, user, repository] = GO_PACKAGE.split('/');
  const path = join(out, 'go', 'src', GO_PACKAGE);
  // The constants of all Go enums share one namespace and need a prefix.
  const names = ['--package-name', 'inventory', '--additional-properties', 'enumClassPrefix=true'];
  generate(jar, 'go-experimental', path, ...names, '--git-user-id', user, '--git-repo-id', repository);
  if (!runs('go', ['version'])) throw new Skipped('Go, which compiles it, is not installed');
  const oauth = join('src', 'golang.org', 'x', 'oauth2');
  if (!existsSync(join(DEBIAN_GO, oauth))) throw new Skipped('it needs golang-golang-x-oauth2-dev to compile');
  const check = join(path, 'check');
  mkdirSync(check);
  copyFileSync(join(programs, 'check.go'), join(check, 'main.go'));
  const models = Object.keys(JSON.parse(readFileSync(join(work, 'samples.json'), 'utf8')));
  const entries = models.map((name) => `\t"${name}": func() interface{} { return new(inventory.${name}) },\n`).join('');
  writeFileSync(
    join(check, 'models.go'),
    `package main\n\nimport inventory "${GO_PACKAGE}"\n\nvar models = map[string]func() interface{}{\n${entries}}\n`,
  );
  const env = {
    GO111MODULE: 'off',
    GOPATH: [join(out, 'go'), DEBIAN_GO].join(delimiter),
    // Otherwise Go requires a C compiler.
    CGO_ENABLED: '0',
    GOFLAGS: '',
  };
  run('go', ['vet', `${GO_PACKAGE}/...`], { env });
  run('go', ['build', '-o', join(work, 'check'), `${GO_PACKAGE}/check`], { env });
  return (url) => run(join(work, 'check'), [join(work, 'samples.json'), url, EMAIL, PASSWORD]);
}

async function main() {
  const { older: document } = await documents();
  writeFileSync(join(work, 'openapi-3.0.json'), JSON.stringify(document));
  writeFileSync(join(work, 'samples.json'), JSON.stringify(samples(document)));
  const jar = fetchGenerator();
  let service;
  try {
    for (const [name, make] of Object.entries({ Python: python, Go: go })) {
      try {
        const check = make(jar);
        service ??= await startService();
        process.stdout.write(`${name}: ${check(service.url).trim()}\n`);
      } catch (error) {
        if (error instanceof Skipped) process.stdout.write(`${name}: SKIPPED, ${error.message}\n`);
        else {
          process.exitCode = 1;
          process.stdout.write(`${name}: FAILED, ${error.message}\n`);
        }
      }
    }
  } finally {
    await service?.stop();
  }
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Skipped)) throw error;
  process.stdout.write(`SKIPPED: ${error.message}\n`);
}

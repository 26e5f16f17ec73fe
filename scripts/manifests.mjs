// `npm run check -- manifests`: validates deploy/kubernetes against the schemas of Kubernetes. They come from npm on demand, because they are
// larger than the service. `deployment.spec` also refuses properties that these schemas do not know.
import './help.mjs';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseAllDocuments } from 'yaml';

const SCHEMAS = 'kubernetes-models@5.1.0';

/** The image that the reader builds, which has a digest in the reader's registry only. */
const OWN_IMAGE = /^infrastructure-inventory:/;
const PINNED = /@sha256:[\da-f]{64}$/;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const manifests = join(root, 'deploy', 'kubernetes');
const directory = mkdtempSync(join(tmpdir(), 'manifests-'));
process.on('exit', () => rmSync(directory, { recursive: true, force: true }));

const options = ['--prefix', directory, '--no-save', '--ignore-scripts', '--loglevel=error'];
if (spawnSync('npm', ['install', ...options, SCHEMAS], { stdio: ['ignore', 'ignore', 2] }).status !== 0) {
  console.log('SKIPPED: the schemas of Kubernetes could not be downloaded');
  process.exit(0);
}

/** The class of an object, which validates it. */
async function modelOf({ apiVersion, kind }) {
  const file = join(directory, 'node_modules', 'kubernetes-models', apiVersion, 'index.js');
  return existsSync(file) ? (await import(pathToFileURL(file)))[kind] : undefined;
}

for (const file of readdirSync(manifests)) {
  for (const document of parseAllDocuments(readFileSync(join(manifests, file), 'utf8'))) {
    const object = document.toJS();
    const what = `${file}: ${object.kind} ${object.metadata?.name}`;
    try {
      const Model = await modelOf(object);
      if (!Model) throw new Error(`there is no ${object.kind} in ${object.apiVersion}`);
      new Model(object).validate();
      for (const { image } of object.spec.template?.spec.containers ?? []) {
        if (!OWN_IMAGE.test(image) && !PINNED.test(image)) throw new Error(`${image} is not pinned by its digest`);
      }
      console.log(`valid: ${what}`);
    } catch (error) {
      console.error(`INVALID: ${what}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}

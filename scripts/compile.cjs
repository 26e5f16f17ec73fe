// Keeps what V8 compiles of the bundle while the service starts and answers its first request: see bundle.mjs.
const { mkdtempSync, rmSync, writeFileSync } = require('node:fs');
const { tmpdir } = require('node:os');
const { join } = require('node:path');
const { setFlagsFromString } = require('node:v8');

const service = process.argv[2];
const { codeOf, loadBundle } = require(join(service, 'bundle.js'));

async function main() {
  const dataDir = mkdtempSync(join(tmpdir(), 'inventory-build-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const file = join(service, 'app', 'start.bundle.js');
  const { exports, script } = loadBundle(file);
  // V8 would discard the code of functions that run only once.
  setFlagsFromString('--no-flush-bytecode');
  const url = await exports.start(exports.loadConfiguration({ DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }));
  const { status } = await fetch(`${url}/health/ready`);
  if (status !== 200) throw new Error(`The service is not ready: ${status}`);
  // Code is used only with the options that it was made with.
  setFlagsFromString('--flush-bytecode');
  writeFileSync(codeOf(file), script.createCachedData());
}

main().then(
  () => process.exit(),
  (error) => {
    process.stderr.write(`${error.stack}\n`);
    process.exit(1);
  },
);

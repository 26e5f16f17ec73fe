import { existsSync } from 'node:fs';
import * as modules from 'node:module';
import { join } from 'node:path';
import { endStart, loadBundle } from './bundle.js';

type Service = typeof import('./app/start.js');

const BUNDLE = join(__dirname, 'app', 'start.bundle.js');

/** The service from its bundle, or from its modules if only the compiler ran (`npm run dev`). */
async function load(): Promise<Service> {
  if (!existsSync(BUNDLE)) return import('./app/start.js');
  if (process.env.LOG_LEVEL !== 'debug') return loadBundle<Service>(BUNDLE).exports;
  // Stacks then name the TypeScript sources. Node reads the map of the bundle only if it loads the bundle itself.
  process.setSourceMapsEnabled(true);
  return require(BUNDLE) as Service;
}

async function main(): Promise<void> {
  // For the packages that are not in the bundle: from version 22 on Node keeps what it has compiled.
  (modules as { enableCompileCache?: () => void }).enableCompileCache?.();
  const { loadConfiguration, start } = await load();
  await start(loadConfiguration());
  endStart();
}

main().catch((error: unknown) => {
  // The operator gets a sentence. The stack is only for debugging.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});

import * as modules from 'node:module';

async function main(): Promise<void> {
  // Must come before the service is loaded: from version 22 on Node keeps what it has compiled.
  (modules as { enableCompileCache?: () => void }).enableCompileCache?.();
  // Stacks then name the TypeScript sources. Otherwise Node need not read the map of the bundle at every start.
  if (process.env.LOG_LEVEL === 'debug') process.setSourceMapsEnabled(true);
  const { loadConfiguration } = await import('./config/configuration.js');
  const { start } = await import('./app/start.js');
  await start(loadConfiguration());
}

main().catch((error: unknown) => {
  // The operator gets a sentence. The stack is only for debugging.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});

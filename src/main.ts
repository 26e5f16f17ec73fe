import * as modules from 'node:module';

async function main(): Promise<void> {
  // Most of a start is loading modules, and a third of that compiling them. From version 22 on Node keeps what it has compiled.
  (modules as { enableCompileCache?: () => void }).enableCompileCache?.();
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

import * as modules from 'node:module';

async function main(): Promise<void> {
  // From version 22 on, Node keeps what it has compiled. It must be told before the modules of the service load.
  (modules as { enableCompileCache?: () => void }).enableCompileCache?.();
  const [{ loadConfiguration }, { start }] = await Promise.all([
    import('./config/configuration.js'),
    import('./app/start.js'),
  ]);
  await start(loadConfiguration());
}

main().catch((error: unknown) => {
  // The operator gets a sentence. The stack is only for debugging.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});

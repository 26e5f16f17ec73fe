import { loadConfiguration } from './config/configuration.js';
import { start } from './app/start.js';

async function main(): Promise<void> {
  await start(loadConfiguration());
}

main().catch((error: unknown) => {
  // The operator gets a sentence. The stack is only for debugging.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});

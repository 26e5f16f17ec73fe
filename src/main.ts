import { loadConfiguration } from './config/configuration.js';
import { start } from './app/start.js';

async function main(): Promise<void> {
  await start(loadConfiguration());
}

main().catch((error: unknown) => {
  // A sentence for the operator; the stack is for who looks for a fault.
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  if (process.env.LOG_LEVEL === 'debug') console.error(error);
  process.exit(1);
});

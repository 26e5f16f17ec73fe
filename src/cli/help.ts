import { basename } from 'node:path';

/**
 * Prints the usage of a command and ends the process if the arguments ask for it. Commands import slow modules only where they use
 * them, so that the usage is printed at once.
 */
export function helpWith(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  // A subcommand of `inventory` is called by another name.
  const isSubcommand = basename(process.argv[1] ?? '').startsWith('inventory');
  process.stdout.write(`${isSubcommand ? usage.replaceAll(/npm run ([a-z-]+)(?: --)?/g, 'inventory $1') : usage}\n`);
  process.exit(0);
}

import { basename } from 'node:path';

/**
 * Prints the usage of a command and ends the process, if the arguments ask for it. Commands import what takes long to load, such as
 * the application or a database, only where they use it, so that their usage is printed at once.
 */
export function helpWith(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  // As a subcommand of `inventory`, it is called otherwise.
  const isSubcommand = basename(process.argv[1] ?? '').startsWith('inventory');
  process.stdout.write(`${isSubcommand ? usage.replaceAll(/npm run ([a-z-]+)(?: --)?/g, 'inventory $1') : usage}\n`);
  process.exit(0);
}

/** Prints the usage of a command and ends the process, if the arguments ask for it. */
export function helpWith(usage: string): void {
  if (!process.argv.slice(2).some((argument) => argument === '--help' || argument === '-h')) return;
  process.stdout.write(`${usage}\n`);
  process.exit(0);
}

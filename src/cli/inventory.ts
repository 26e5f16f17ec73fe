#!/usr/bin/env node
import { closest } from '../http/closest.js';

/** The commands for people who operate the service, each with its module and what it does. */
const COMMANDS: Readonly<Record<string, readonly [module: string, about: string]>> = {
  start: ['../main.js', 'runs the service'],
  session: ['./session.js', 'prints a session cookie of a profile'],
  token: ['./token.js', 'creates a token of a profile'],
  backup: ['./backup.js', 'writes a backup of the embedded database'],
  restore: ['./restore.js', 'restores such a backup'],
  migrate: ['./migrate.js', 'migrates the database and ends'],
  move: ['./move.js', 'copies the embedded database to a PostgreSQL server'],
  catalogue: ['./catalogue.js', 'loads the shipped catalogue, or the device type library'],
  export: ['./export.js', 'writes a list to a file'],
  import: ['./import.js', 'reads records from a file'],
  'move-in': ['./move-in.js', 'brings an estate over from NetBox or Snipe-IT'],
  demo: ['./demo.js', 'fills a new database with a demo estate'],
};

const WIDTH = Math.max(...Object.keys(COMMANDS).map((name) => name.length));

const USAGE = `Usage: inventory <command> [options]

${Object.entries(COMMANDS)
  .map(([name, [, about]]) => `  ${name.padEnd(WIDTH)}  ${about}`)
  .join('\n')}

inventory <command> --help tells the options of a command. Commands exit with 0, or with 1 after a sentence on standard error;
move-in exits with 3 if it left something out.
`;

const [name] = process.argv.splice(2, 1);
const command = name === undefined ? undefined : Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
  process.stdout.write(USAGE);
} else if (command) {
  void import(command[0]);
} else {
  const near = closest(name, Object.keys(COMMANDS));
  process.stderr.write(
    `inventory: there is no command '${name}'. ${near ? `Did you mean '${near}'?` : 'inventory --help lists the commands'}\n`,
  );
  process.exitCode = 1;
}

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { OwnerRequest } from '../app/owner-request.js';
import { loadConfiguration, type Configuration } from '../config/configuration.js';
import { askOwner, DATABASE } from '../database/embedded/data-dir-lock.js';
import type { OpenDatabase } from '../schema/open-database.js';

/**
 * Runs a command on the database and prints its result. Only one process can open the embedded database, so if the service is running,
 * it executes the command. A directory without a database is refused, because a mistyped DATA_DIR would create a new one. After a
 * failure, a sentence with the directory is printed on standard error, and the exit code is 1.
 * @param timeout milliseconds that a running service may take
 */
export function ask<T extends object>(
  command: OwnerRequest['command'],
  request: object,
  work: (parts: OpenDatabase & { configuration: Configuration }) => Promise<T>,
  print: (answer: T) => string,
  timeout?: number,
): void {
  let directory: string | undefined;
  const run = async (): Promise<T> => {
    const configuration = loadConfiguration();
    if (configuration.databaseUrl === undefined) {
      directory = configuration.dataDir;
      if (!existsSync(join(directory, DATABASE))) {
        throw new Error(
          'There is no database. Start the service first, or set DATA_DIR to the directory of its database',
        );
      }
      const answer = await askOwner(directory, { command, ...request }, timeout);
      if (answer) return answer as T;
    }
    const { openDatabase } = await import('../schema/open-database.js');
    const say = (details: object, message: string) => process.stderr.write(`${message} ${JSON.stringify(details)}\n`);
    const database = await openDatabase(configuration, { error: say, info: say });
    try {
      return await work({ ...database, configuration });
    } finally {
      await database.close();
    }
  };
  run().then(
    (answer) => process.stdout.write(`${print(answer)}\n`),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      if (directory !== undefined) process.stderr.write(`DATA_DIR is ${directory}\n`);
      process.exitCode = 1;
    },
  );
}

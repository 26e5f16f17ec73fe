import type { OwnerRequest } from '../app/owner-request.js';
import { loadConfiguration, type Configuration } from '../config/configuration.js';
import { askOwner } from '../database/embedded/data-dir-lock.js';
import type { OpenDatabase } from '../schema/open-database.js';

/**
 * Runs a command on the database and prints its result. The embedded database has one owner: if the service is running, the
 * command is sent to it. A failure prints a sentence on standard error and exits with code 1.
 * @param timeout milliseconds that a running service may take
 */
export function ask<T extends object>(
  command: OwnerRequest['command'],
  request: object,
  work: (parts: OpenDatabase & { configuration: Configuration }) => Promise<T>,
  print: (answer: T) => string,
  timeout?: number,
): void {
  const run = async (): Promise<T> => {
    const configuration = loadConfiguration();
    if (configuration.databaseUrl === undefined) {
      const answer = await askOwner(configuration.dataDir, { command, ...request }, timeout);
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
      process.exitCode = 1;
    },
  );
}

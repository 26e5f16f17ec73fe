import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Version of the service, from its package. Compiled or not, package.json is in a directory above this file. */
export function packageVersion(): string {
  let directory = __dirname;
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory);
  return (JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as { version: string }).version;
}

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from '../../http/once.js';

/** The directory of package.json and openapi.json. Compiled or not, it is above this file. */
const root = once((): string => {
  let directory = __dirname;
  while (!existsSync(join(directory, 'package.json'))) directory = dirname(directory);
  return directory;
});

/** Version of the service, from its package. */
export const packageVersion = once(
  (): string => (JSON.parse(readFileSync(join(root(), 'package.json'), 'utf8')) as { version: string }).version,
);

/** The published document, which `npm run openapi` has made, as text. */
export const openapiFile = (): Buffer => readFileSync(join(root(), 'openapi.json'));

/** The page of errors and their codes, as text. */
export const errorsPage = (): Buffer => readFileSync(join(root(), 'docs/errors.md'));

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../../database/executor.js';
import { openSecrets } from './secret-key.js';

describe('the file with the secret key', () => {
  let dataDir: string;
  let file: string;
  let digest: string | undefined;
  // The table of settings of a database, which has one row at most here.
  const db = {
    query: () => Promise.resolve(digest === undefined ? [] : [{ value: digest }]),
    write: ({ whole: { values } }: { whole: { values: string[] } }) => {
      digest ??= values[1];
      return Promise.resolve([]);
    },
  } as unknown as Executor;

  beforeEach(() => {
    digest = undefined;
    dataDir = mkdtempSync(join(tmpdir(), 'secret-key-'));
    file = join(dataDir, 'secret.key');
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('is created once, also by two first starts, and nothing beside it stays', async () => {
    await Promise.all([openSecrets({ dataDir }, db), openSecrets({ dataDir }, db)]);
    expect(readFileSync(file, 'utf8')).toMatch(/^[\w-]{43}\n$/);
    expect(readdirSync(dataDir)).toEqual(['secret.key']);
    await openSecrets({ dataDir }, db);
  });

  it.each(['', '\n', 'half-a-key'])('does not become the key of a database if it has only %j', async (text) => {
    writeFileSync(file, text);
    await expect(openSecrets({ dataDir }, db)).rejects.toThrow(`The key in ${file} has fewer than 32 characters`);
    expect(digest).toBeUndefined();
  });
});

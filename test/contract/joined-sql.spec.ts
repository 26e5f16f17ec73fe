import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '../../src/database/executor.js';
import { sql, write } from '../../src/database/sql.js';

const ROOT = join(__dirname, '../..');

/** The lines of a file of `src` in which the lint finds SQL that is joined by hand. */
function foundIn(lines: readonly string[]): number[] {
  const folder = mkdtempSync(join(tmpdir(), 'inventory-lint-'));
  try {
    for (const name of ['.oxlintrc.json', 'scripts/lint'])
      cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'file.ts'), lines.join('\n'));
    const oxlint = join(ROOT, 'node_modules', '.bin', 'oxlint');
    const { stdout } = spawnSync(oxlint, ['--format', 'unix', 'src'], { cwd: folder, encoding: 'utf8' });
    const found = stdout.split('\n').filter((line) => line.includes('sql(no-joined)'));
    return found.map((line) => Number(line.split(':')[1])).toSorted((a, b) => a - b);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

it('refuses SQL that is joined by hand, and takes what is fixed or has the tag', () => {
  expect(
    foundIn([
      'export const found = (name: string): string => `SELECT 1 FROM sites WHERE name = ${name}`;',
      "export const joined = (name: string): string => 'DELETE FROM sites WHERE name = ' + name;",
      'export const next = (name: string): string => `\n  WITH a AS (SELECT 1) SELECT ${name}`;',
      'export const FIXED = `SELECT 1 FROM sites LIMIT ${MOST}`;',
      'export const tagged = (name: string): Sql => sql`SELECT 1 FROM sites WHERE name = ${name}`;',
      'export const fixed = (): string => `SELECT 1 FROM sites WHERE name = $1`;',
      'export const sentence = (name: string): string => `Selected: ${name}`;',
    ]),
  ).toEqual([1, 2, 3]);
});

it('the compiler lets no text reach a database, and a statement only a method of its kind', () => {
  const reached: unknown[] = [];
  const note = (statement: unknown): Promise<[]> => {
    reached.push(statement);
    return Promise.resolve([]);
  };
  const db = { query: note, write: note } as Pick<Executor, 'query' | 'write'>;
  const [read, written] = [sql`SELECT 1`, write`DELETE FROM sites RETURNING id`];
  // The compiler refuses each line that has a comment, and a comment that no line needs.
  const calls = [
    db.query(read),
    db.write(written),
    // @ts-expect-error a text
    db.query('SELECT 1'),
    // @ts-expect-error a text
    db.write('DELETE FROM sites RETURNING id'),
    // @ts-expect-error a statement that writes
    db.query(written),
    // @ts-expect-error a statement that reads
    db.write(read),
    // @ts-expect-error a statement has its values itself
    db.query(read, [1]),
  ];
  expect(reached).toHaveLength(calls.length);
});

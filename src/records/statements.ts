import type { Executor } from '../database/executor.js';
import { type Sql, sql, type Write } from '../database/sql.js';
import type { Class } from '../fields/field.js';
import type { StoredRecord } from '../fields/record.js';
import { listOf } from '../lists/list-query.js';
import { RecordList } from '../lists/record-list.js';
import { declaredSqlOf } from '../lists/record-sql.js';
import { conditionsOf, type Owner } from './owner.js';
import { type Columns, RecordWriter } from './record-writer.js';

/** Runs nothing, and keeps the statements. Each returns one row of nothing. */
class Recorder implements Executor {
  readonly statements: string[] = [];

  query<R extends object>(statement: Sql): Promise<R[]> {
    this.statements.push(statement.text);
    return Promise.resolve([{} as R]);
  }

  write<R extends object>({ whole }: Write): Promise<R[]> {
    return this.query<R>(whole);
  }

  transaction(): never {
    throw new Error('A single statement has no transaction');
  }

  readonly snapshot = this.transaction;
  readonly savepoint = this.transaction;
}

/**
 * The statements of a resource, as the service sends them without custom fields, filters and `expand`. Services that have statements of
 * their own send further ones.
 * @param owner of the records, if they are parts
 * @returns a text for people, in which `:columns`, `:joins` and `:version` stand for its first parts
 */
export async function statementsOf(
  record: Class<StoredRecord>,
  owner?: Pick<Owner, 'record' | 'field'>,
): Promise<string> {
  const resource = declaredSqlOf(record);
  const { columns, list, joins } = resource.projection;
  const db = new Recorder();
  const scope = { owner: owner && { ...owner, id: 'id' } };
  const readers = new RecordList({ found() {} }, resource);
  const writer = new RecordWriter(db, resource);
  const body: Columns = Object.fromEntries(
    resource.stored.filter(({ readOnly }) => !readOnly).map(({ columnName }) => [columnName, null]),
  );
  const request = listOf(record).parse({}, { resource: () => declaredSqlOf(record) as never });
  const operations: [title: string, run: () => Promise<unknown>][] = [
    ['List', () => readers.page({ db }, request, conditionsOf(resource, scope.owner))],
    ['Read', () => db.query(resource.selectVersioned(resource.table, sql`WHERE t.id = ANY(${['id']})`))],
    ['Create', () => writer.insert([{ columns: body, body: {} }], 'records')],
    [
      'Create many',
      () =>
        writer.insert(
          [
            { columns: body, body: {} },
            { columns: body, body: {} },
          ],
          'ids',
        ),
    ],
    ['Change', () => writer.updateOne({ id: 'id', columns: body, body: {} }, { ...scope, versions: [] })],
    ['Change many', () => writer.updateMany([{ id: 'id', columns: body, body: {} }], scope)],
    ['Delete', () => writer.delete(['id'], scope)],
  ];
  const parts: string[] = [
    `-- :columns\n${columns.map((column) => wrapped(column)).join(',\n')}`,
    ...(joins.text === '' ? [] : [`-- :joins\n${wrapped(joins.text)}`]),
    `-- :version\n${wrapped(resource.version)}`,
  ];
  for (const [title, run] of operations) {
    await run();
    const text = db.statements.splice(0).map((statement) =>
      statement
        .replaceAll(list.text, ':columns')
        .replaceAll(joins.text === '' ? '\0' : joins.text, ':joins')
        .replaceAll(resource.version, ':version'),
    );
    parts.push(...text.map((statement) => `-- ${title}\n${wrapped(statement)};`));
  }
  return `${parts.join('\n\n')}\n`;
}

const WIDTH = 120;
/** Texts and names in quotes, brackets, words and spaces. A line ends at spaces only. */
const TOKENS = /'(?:[^']|'')*'|"[^"]*"|[()]|[^\s'"()]+|\s+/g;
const CLAUSES = new Set([
  'SELECT',
  'FROM',
  'WHERE',
  'ORDER',
  'LIMIT',
  'SET',
  'VALUES',
  'RETURNING',
  'UNION',
  'LEFT',
  'CROSS',
]);
/** Brackets within which a clause begins on a line of its own. */
const DEEPEST = 2;

/** A statement in lines. Clauses begin lines, except deep in brackets. */
function wrapped(statement: string): string {
  const lines: string[] = [];
  let line = '';
  let depth = 0;
  const end = (): void => {
    if (line.trim() !== '') lines.push(line.trimEnd());
    line = '  '.repeat(depth);
  };
  for (const [token] of statement.matchAll(TOKENS)) {
    if (token === '(') depth++;
    if (token === ')') depth--;
    if (token.trim() === '') {
      if (line.length >= WIDTH) end();
      else if (line.trim() !== '') line += ' ';
      continue;
    }
    if (CLAUSES.has(token) && depth <= DEEPEST && line.endsWith(' ')) end();
    line += token;
  }
  end();
  return lines.join('\n');
}

import { EMPTY, raw, sql } from '../../database/sql.js';
import type { Class } from '../../fields/field.js';
import type { ComputedColumn, ComputedList } from '../../lists/computed-list.js';
import { nameOfResource, outward } from '../containment.js';
import { coveringAt, personOf } from '../on-call/on-call.lists.js';
import { recordOf } from '../target/targeted-records.js';
import { rankOf, responsibilitiesOn } from './responsibilities-on-way.js';
import { Order } from '../../lists/order.js';

/** The parameters of the search. */
export interface Wanted {
  /** Kinds of responsibilities; all if there are none. */
  kinds: readonly string[];
  /** Whether the search continues outward from a record with responsibilities of the kind. */
  all: boolean;
  /** Time at which rosters are evaluated. */
  at: string;
}

const column = (name: string, isText = false): ComputedColumn => ({ name, sql: `t."${name}"`, isText });

/** A column whose value is an object, or null. In a CSV each of its members is a column. @param members their paths */
const objectColumn = (name: string, members: readonly string[]): ComputedColumn => ({
  ...column(name),
  members: members.map((path) => ({
    name: `${name}.${path}`,
    sql: `t."${name}" #>> '{${path.replaceAll('.', ',')}}'`,
    // An id is never taken for a formula.
    isText: !path.toLowerCase().endsWith('id'),
  })),
});

const PERSON = ['id', 'fullName', 'email', 'phone', 'status'];
const personIn = (name: string): string[] => PERSON.map((member) => `${name}.${member}`);

const COLUMNS = [
  column('kind', true),
  column('roster', true),
  objectColumn('person', PERSON),
  objectColumn('via', ['resource', 'id', 'name']),
  column('distance'),
];

const ON_CALL = objectColumn('onCall', [
  ...['reason', 'roster', 'scheduleId', 'name', 'startTime', 'endTime', ...personIn('person')],
  ...['next.scheduleId', 'next.startTime', ...personIn('next.person')],
]);

/**
 * The responsible people for a record, by one statement.
 * @param withOnCall whether the caller may know who is on call
 */
export function responsibleFor(
  record: Class,
  id: string,
  { kinds, all, at }: Wanted,
  withOnCall: boolean,
): ComputedList {
  const seed = sql`SELECT ${id}::uuid AS seed, ${raw(`'${nameOfResource(record)}'`)} AS resource, ${id}::uuid AS id`;
  const onCall = withOnCall
    ? sql`, CASE WHEN e.roster IS NULL THEN NULL WHEN c.reason IS NULL AND c.roster IS NOT NULL THEN c.entry
        ELSE json_build_object('person', NULL, 'reason', coalesce(c.reason, 'no_roster')) END AS "onCall"`
    : EMPTY;
  const joined = withOnCall
    ? sql`LEFT JOIN (
        SELECT c.roster, c.reason, json_build_object('roster', c.roster, 'scheduleId', c."scheduleId", 'name', c.name,
          'startTime', c."startTime", 'endTime', c."endTime", 'person', c.person, 'next', c.next) AS entry
        FROM (${coveringAt(at, sql`ARRAY(SELECT DISTINCT roster FROM entry WHERE roster IS NOT NULL)`)}) c
      ) c ON c.roster = e.roster`
    : EMPTY;
  return {
    name: 'responsible',
    rows: sql`WITH RECURSIVE ${outward('way', seed, [record])},
      entry AS MATERIALIZED (
        SELECT * FROM (${responsibilitiesOn('way', sql`${kinds}::text[]`)}) e WHERE ${all}::boolean OR distance = nearest
      )
      SELECT e.kind, e.roster, ${personOf('p')} AS person, ${recordOf('e')} AS via, e.distance, e.resource, e.id, e.created_at, e.entry${onCall}
      FROM entry e LEFT JOIN people p ON p.id = e.person_id ${joined}`,
    columns: withOnCall ? [...COLUMNS, ON_CALL] : COLUMNS,
    order: new Order([
      't.distance',
      `${rankOf('t.kind')} NULLS LAST`,
      't.kind COLLATE "C"',
      't.resource',
      't.id',
      't.created_at',
      't.entry',
    ]),
    isKept: true,
  };
}

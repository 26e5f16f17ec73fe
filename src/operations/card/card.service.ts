import { Injectable } from '@nestjs/common';
import type { Caller } from '../../access/access.js';
import type { RequestContext } from '../../lists/request-context.js';
import { ChangeLogEntry } from '../../change-log/change-log-entry.entity.js';
import { readableEntries } from '../../change-log/readable-entries.js';
import { join, raw, sql, type Sql } from '../../database/sql.js';
import { NotFound } from '../../http/errors.js';
import { PlainReply } from '../../http/replies.js';
import { jsonOf } from '../../lists/computed-list.js';
import { declaredSqlOf } from '../../lists/record-sql.js';
import { conditionOf } from '../../lists/request-sql.js';
import type { NamedRecord } from '../../records/named-record.js';
import { conflictList, type AskedWork } from '../conflict/conflict-list.js';
import type { CardInterval } from './card.models.js';
import { cardStatement } from './card-statements.js';

/** The work of a requested card. */
interface CardSubject {
  resource: string;
  /** Its name in the message if it does not exist. */
  label: string;
  /** SELECT of `{id, name, from_time, to_time}`. */
  time: Sql;
  /** The same work in the form that conflicts use. */
  work: AskedWork;
  minutes: number;
}

/** A roster, and the records that it operates. */
interface Roster {
  roster: string;
  via: NamedRecord[];
}

type Interval = CardInterval & { roster: string };

/** The row of a card's statement. Its texts are JSON that is sent unchanged. */
interface CardRow {
  record: NamedRecord;
  from: string | null;
  to: string | null;
  targets: NamedRecord[];
  reached: string;
  coverage: string;
  replacement: string;
  rosters: Roster[];
  shifts: Interval[];
  gaps: Interval[];
  issues: string;
  conflicts: string;
  changes: string;
}

const MOST_CHANGES = 10;

/** The people on call of rosters during the work, and the gaps. */
function onCallOf({ from, to, rosters, shifts, gaps }: CardRow): object[] {
  if (from === null || to === null || from >= to) return [];
  const intervals = new Map<string, CardInterval[]>(rosters.map(({ roster }) => [roster, []]));
  for (const { roster, startTime, endTime, person } of shifts) {
    if (person !== null && person.status !== 'inactive')
      intervals.get(roster)?.push({ startTime, endTime, person, reason: null });
  }
  for (const { roster, startTime, endTime, reason } of gaps)
    intervals.get(roster)?.push({ startTime, endTime, person: null, reason });
  return rosters.map(({ roster, via }) => {
    const known = intervals.get(roster)!.toSorted((a, b) => (a.startTime < b.startTime ? -1 : 1));
    return {
      roster,
      via,
      intervals: known.length > 0 ? known : [{ startTime: from, endTime: to, person: null, reason: 'no_roster' }],
    };
  });
}

/** SELECT of `json`, the conflicts of work. */
const conflictsOf = ({ work, minutes }: CardSubject): Sql =>
  sql`SELECT '[' || coalesce(string_agg(record, ','), '') || ']' AS json FROM (${jsonOf(conflictList(work, { minutes, rosters: [] }))}) rows`;

/** SELECT of `json`, the last entries of the change log on the CTE `target`, as far as the caller may read them. */
function changesFor(caller: Caller): Sql {
  const conditions = readableEntries(caller).map((filter) => sql` AND ${conditionOf(filter)}`);
  const keys = sql`SELECT t.id, t.created_at FROM target x
    JOIN change_log t ON t.record_id = x.id AND t.resource = x.resource${join(conditions, '')}
    ORDER BY t.created_at DESC, t.id DESC LIMIT ${raw(MOST_CHANGES)}`;
  return sql`SELECT '[' || coalesce(rows, '') || ']' AS json FROM (${declaredSqlOf(ChangeLogEntry).selectPage(keys)}) page`;
}

/** Reads a card by one statement. Nothing of it is stored. */
@Injectable()
export class CardService {
  /** @throws NotFound */
  async read({ caller, db }: RequestContext, subject: CardSubject): Promise<PlainReply> {
    const { resource, label, time, work } = subject;
    const conflicts = conflictsOf(subject);
    const statement = cardStatement({ resource, time, targets: work.targets, conflicts, changes: changesFor(caller) });
    const [found] = await db.query<CardRow>(statement);
    if (!found) throw new NotFound(label);
    const { record, from, to, targets, reached, coverage, replacement, issues, changes } = found;
    const members = {
      record: JSON.stringify(record),
      from: JSON.stringify(from),
      to: JSON.stringify(to),
      targets: JSON.stringify(targets),
      reached,
      onCall: JSON.stringify(onCallOf(found)),
      coverage,
      replacement,
      conflicts: found.conflicts,
      knownIssues: issues,
      changes,
    };
    const parts = Object.entries(members).map(([name, json]) => `"${name}":${json}`);
    return new PlainReply(`{${parts.join(',')}}`);
  }
}

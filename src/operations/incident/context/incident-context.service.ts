import { Injectable } from '@nestjs/common';
import { ChangeLogEntry } from '../../../change-log/change-log-entry.entity.js';
import { readableEntries } from '../../../change-log/readable-entries.js';
import type { RequestContext } from '../../../lists/request-context.js';
import { NotFound } from '../../../http/errors.js';
import { PlainReply } from '../../../http/replies.js';
import { instantText } from '../../../fields/types/time.js';
import { identifier, join, raw, sql, type Sql } from '../../../database/sql.js';
import { conditionOf } from '../../../lists/request-sql.js';
import { declaredSqlOf, type RecordSql, textOf } from '../../../lists/record-sql.js';
import { ChangeRequest } from '../../change-request/change-request.entity.js';
import { containing } from '../../containment.js';
import { KnownIssue } from '../../known-issue/known-issue.entity.js';
import { MaintenanceWindow } from '../../maintenance-window/maintenance-window.entity.js';
import { OnCallSchedule } from '../../on-call-schedule/on-call-schedule.entity.js';
import { Runbook } from '../../runbook/runbook.entity.js';
import { MATCHED_WORDS } from './matched-words.js';

const MOST_RECORDS = 100;
const MOST_MATCHES = 20;
// Ranking parses the words of each record again. If only single words match, only the latest records are ranked.
const MOST_RANKED = 500;

const FROM = sql`(SELECT i.start FROM incident i)`;
const TO = sql`(SELECT i.at FROM incident i)`;

/** The text of a JSON array of records, truncated if they are too long for one text. */
const records = (resource: RecordSql, tail: string, source: string): Sql =>
  sql`(SELECT '[' || coalesce(rows, '') || ']' FROM (${textOf(resource.records(source, tail))}) page)`;

/** Such an array of the records that meet a condition, and their number. */
function found(resource: RecordSql, name: string, count: string, condition: Sql, orderBy: string): Sql {
  const from = sql`FROM ${identifier(resource.table)} t WHERE ${condition}`;
  const keys = sql`SELECT t.id ${from} ORDER BY ${raw(orderBy)} LIMIT ${raw(MOST_RECORDS)}`;
  return sql`(SELECT '[' || coalesce(rows, '') || ']' FROM (${resource.selectPage(keys)}) page) AS ${raw(`"${name}"`)},
    (SELECT count(*) ${from})::text AS ${raw(`"${count}"`)}`;
}

/**
 * The same for changes: changes of the incident's targets come first, then those of their containers. An index finds both, so that only
 * the first hundred of the others are read.
 */
function changesFound(condition: Sql): Sql {
  const latest = raw('t.created_at DESC, t.id DESC');
  const most = raw(MOST_RECORDS);
  const resource = declaredSqlOf(ChangeLogEntry);
  const keys = sql`SELECT t.id, t.created_at FROM (
    (SELECT t.id, r.rank, t.created_at FROM related r JOIN change_log t ON t.record_id = r.id WHERE ${condition}
      ORDER BY r.rank, ${latest} LIMIT ${most})
    UNION ALL
    (SELECT t.id, 2, t.created_at FROM change_log t WHERE ${condition} AND t.record_id NOT IN (SELECT id FROM related)
      ORDER BY ${latest} LIMIT ${most})
  ) t ORDER BY t.rank, ${latest} LIMIT ${most}`;
  return sql`(SELECT '[' || coalesce(rows, '') || ']' FROM (${resource.selectPage(keys)}) page) AS "changes",
    (SELECT count(*) FROM change_log t WHERE ${condition})::text AS "changeCount"`;
}

/** The same for the best matches, which are in a CTE of this name. */
const best = (resource: RecordSql, name: string, count: string, cte: string): Sql =>
  sql`${records(resource, 'ORDER BY t.rank DESC, t.created_at DESC, t.id', cte)} AS ${raw(`"${name}"`)},
    (SELECT coalesce(max(matched), 0) FROM ${identifier(cte)})::text AS ${raw(`"${count}"`)}`;

const COVERED = sql`(t.start_time IS NULL OR t.start_time <= ${TO}) AND (t.end_time IS NULL OR t.end_time > ${TO})`;
const OVERLAPS = sql`(t.start_time IS NOT NULL OR t.end_time IS NOT NULL)
  AND (t.start_time IS NULL OR t.start_time <= ${TO}) AND (t.end_time IS NULL OR t.end_time >= ${FROM})`;

/** Records of a table that the incident names in `system`, or that share words with its title, with rank and number. */
const matches = (table: 'known_issues' | 'runbooks', system: string): Sql => {
  const [from, words, named] = [identifier(table), raw(MATCHED_WORDS[table]), identifier(system)];
  return sql`
  SELECT t.*, count(*) OVER () AS matched, (CASE WHEN named THEN 10 ELSE 0 END) + ts_rank(${words}, i.words) AS rank
  FROM ${from} t, incident i,
    LATERAL (SELECT length(t.${named}) > 1 AND position(lower(t.${named}) IN i.told) > 0 AS named) n
  WHERE t.id IN (
    SELECT id FROM ${from} t, incident i WHERE length(t.${named}) > 1 AND position(lower(t.${named}) IN i.told) > 0
    UNION SELECT id FROM ${from} t WHERE ${words} @@ (SELECT i.all_words FROM incident i)
    UNION (SELECT id FROM ${from} t WHERE ${words} @@ (SELECT i.words FROM incident i)
      ORDER BY created_at DESC LIMIT ${raw(MOST_RANKED)})
  ) ORDER BY rank DESC, t.created_at DESC, t.id LIMIT ${raw(MOST_MATCHES)}`;
};

/** Reads the context of an incident by one statement. */
@Injectable()
export class IncidentContextService {
  /**
   * @param minutes length of the window before the incident
   * @throws NotFound
   */
  async read(ctx: RequestContext, id: string, minutes: number): Promise<PlainReply> {
    // Changes of the incident itself are not its cause.
    const incident = sql`${id}::uuid`;
    const between = sql`BETWEEN ${FROM} AND ${TO}`;
    const readable = readableEntries(ctx.caller).map(conditionOf);
    const changed = [sql`t.created_at ${between}`, sql`t.record_id <> ${incident}`, ...readable];
    const targets = sql`SELECT x.record_id AS seed, x.resource, x.record_id AS id FROM incident_targets x WHERE x.incident_id = ${incident}`;
    const statement = sql`WITH RECURSIVE incident AS MATERIALIZED (
        SELECT at, at - make_interval(mins => ${minutes}) AS start, lower(concat_ws(' ', name, description)) AS told,
          plainto_tsquery('english', name) AS all_words, replace(plainto_tsquery('english', name)::text, '&', '|')::tsquery AS words
        FROM (SELECT *, coalesce(detected_at, created_at) AS at FROM incidents WHERE id = ${incident}) noticed
      ),
      targets AS MATERIALIZED (${targets}),
      ${containing('around', sql`SELECT * FROM targets`)},
      related AS MATERIALIZED (SELECT id, min(CASE WHEN id = seed THEN 0 ELSE 1 END) AS rank FROM around GROUP BY id),
      issues AS MATERIALIZED (${matches('known_issues', 'affected_system')}),
      guides AS MATERIALIZED (${matches('runbooks', 'category')})
      SELECT to_json(${raw(instantText('i.start'))})::text AS "from", to_json(${raw(instantText('i.at'))})::text AS "to",
        ${changesFound(join(changed, ' AND '))},
        ${found(ctx.resource(MaintenanceWindow), 'maintenanceWindows', 'maintenanceWindowCount', OVERLAPS, 't.start_time, t.id')},
        ${found(ctx.resource(ChangeRequest), 'changeRequests', 'changeRequestCount', sql`t.scheduled_for ${between}`, 't.scheduled_for, t.id')},
        ${found(ctx.resource(OnCallSchedule), 'onCall', 'onCallCount', COVERED, 't.start_time, t.id')},
        ${best(ctx.resource(KnownIssue), 'knownIssues', 'knownIssueCount', 'issues')},
        ${best(ctx.resource(Runbook), 'runbooks', 'runbookCount', 'guides')}
      FROM incident i`;
    const [context] = await ctx.db.query<Record<string, string>>(statement.unprepared());
    if (!context) throw new NotFound('Incident');
    const members = Object.entries(context).map(([name, json]) => `"${name}":${json}`);
    return new PlainReply(`{${members.join(',')}}`);
  }
}

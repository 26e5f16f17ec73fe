import type { Readable } from 'node:stream';
import { Inject, Injectable } from '@nestjs/common';
import { ignoreDiskFault } from '../database/database-errors.js';
import { Database } from '../database/database.js';
import type { Transaction } from '../database/executor.js';
import { raw, sql, write, type Sql } from '../database/sql.js';
import type { TextRow } from '../database/row-stream.js';
import { instantText } from '../fields/types/time.js';
import { FairQueue } from '../http/fair-queue.js';
import { etagOf } from '../http/replies.js';
import { ListStreams } from '../lists/list-streams.js';
import type { CalendarFeed } from './calendar-feed.entity.js';
import { DAYS_AHEAD, DAYS_BACK, eventsOf, shownEvents, spanOf } from './feed-events.sql.js';
import { calendarEnd, calendarStart, eventText } from './icalendar.js';
import { holdLock, LOCKS } from '../database/locks.js';

const DAY_MS = 86_400_000;

export type ReadFeed = Pick<CalendarFeed, 'id' | 'createdAt' | 'name' | 'profileId' | 'kind' | 'roster' | 'personId'>;

type Window = readonly [from: string, to: string];

/** The calendar of a feed as it is now. */
interface Calendar {
  /** Changes whenever the contents of the calendar change. */
  etag: string;
  /** @throws DomainError unavailable */
  body(): Promise<string | Readable>;
}

interface Content {
  summary: string;
  description: string;
  status: string;
}

/** The row of a current event. */
const SAME = sql`s.uid = c.uid AND s.roster = c.roster AND s.person_id = c.person_id`;
/** A stored event within the window that no longer exists. */
const gone = (range: Sql): Sql => sql`NOT s.removed AND s.hours && ${range}`;

/** Days for which a past event outside the window is stored, in case it moves back. */
const REMEMBERED = sql`interval '366 days'`;

const CHANGED = sql`(s.removed OR s.hours <> c.hours OR s.content <> c.content)`;

/**
 * The calendars of feeds. The events of each kind are stored once for all its feeds, so that subscribers learn of every change: the
 * `SEQUENCE` of a changed event is raised, and a removed event is cancelled.
 */
@Injectable()
export class FeedCalendar {
  // Readers of a changed calendar wait here and not for the lock of its kind, because each waiting transaction would hold one of the
  // service's write connections.
  private readonly queue = new FairQueue(1);

  constructor(
    @Inject(Database) private readonly db: Database,
    @Inject(ListStreams) private readonly streams: ListStreams,
  ) {}

  /** The current calendar, read on behalf of the feed's owner. @throws DomainError unavailable */
  async read(feed: ReadFeed): Promise<Calendar> {
    const window = windowAt(new Date());
    const state = await this.db.inTurn(feed.profileId, async () => {
      const stored = await this.stateOf(feed, window);
      // Most reads find no change and write nothing.
      if (!stored.differs) return stored;
      await this.queue
        .run(feed.profileId, () => this.db.transaction((tx) => this.remember(tx, feed, window)))
        .catch(ignoreDiskFault);
      return this.stateOf(feed, window);
    });
    return {
      etag: etagOf(JSON.stringify([feed.id, feed.name, window, state])),
      body: () => this.body(feed, window),
    };
  }

  /** Updates the stored events that a feed shows. It writes those that have changed only. @param tx a transaction */
  async remember(tx: Transaction, feed: Omit<ReadFeed, 'createdAt'>, window = windowAt(new Date())): Promise<void> {
    // A lock serializes concurrent readers, so that each change raises the numbers once.
    await holdLock(tx, LOCKS.calendar(feed.kind));
    const [span, kind] = [spanOf(window), sql`${feed.kind}::text`];
    const isOf = sql`e.kind = ${kind} AND e.uid = d.uid AND e.roster = d.roster AND e.person_id = d.person_id`;
    // A full join is never a nested loop, even if the planner has no statistics of the table yet.
    await tx.write(
      write`WITH ${eventsOf(feed, kind, span)},
      differences AS MATERIALIZED (
        SELECT coalesce(c.uid, s.uid) AS uid, coalesce(c.roster, s.roster) AS roster,
          coalesce(c.person_id, s.person_id) AS person_id, c.hours, c.content, c.uid IS NOT NULL AS is_current,
          ${gone(span.range)} AS is_gone, upper(s.hours) < ${span.from} - ${REMEMBERED} AS is_old
        FROM current c FULL JOIN stored s ON ${SAME}
        WHERE c.uid IS NULL OR s.uid IS NULL OR ${CHANGED}
      ),
      gone AS (
        UPDATE calendar_events e SET removed = true, sequence = e.sequence + 1, changed_at = now()
        FROM differences d WHERE NOT d.is_current AND d.is_gone AND ${isOf}
      ),
      forgotten AS (
        DELETE FROM calendar_events e USING differences d WHERE NOT d.is_current AND d.is_old AND ${isOf}
      )
      INSERT INTO calendar_events AS e (kind, uid, roster, person_id, hours, content)
      SELECT ${kind}, uid, roster, person_id, hours, content FROM differences WHERE is_current
      ON CONFLICT (kind, uid, roster, person_id) DO UPDATE
        SET hours = excluded.hours, content = excluded.content, removed = false, sequence = e.sequence + 1, changed_at = now()`.unprepared(),
    );
  }

  /** The version of the stored events, and whether they differ from the current ones. */
  private async stateOf(feed: ReadFeed, window: Window): Promise<{ differs: boolean }> {
    const [span, kind] = [spanOf(window), sql`${feed.kind}::text`];
    const [state] = await this.db.query<{ differs: boolean }>(
      sql`WITH ${eventsOf(feed, kind, span)}
      SELECT count(s.uid)::int AS events, sum(s.sequence)::int AS changes, count(*) FILTER (WHERE s.removed)::int AS removed,
        max(s.changed_at)::text AS "changedAt",
        coalesce(bool_or(CASE WHEN s.uid IS NULL THEN true WHEN c.uid IS NULL THEN ${gone(span.range)} ELSE ${CHANGED} END), false) AS differs
      FROM current c FULL JOIN stored s ON ${SAME}`.unprepared(),
    );
    return state!;
  }

  private body(feed: ReadFeed, window: Window): Promise<string | Readable> {
    const wholeDays = feed.kind === 'expirations';
    let isEmpty = true;
    const times = raw(['changed_at', 'lower(hours)', 'upper(hours)'].map(instantText).join(', '));
    const events = sql`SELECT uid, sequence, ${times}, content, removed
      FROM (${shownEvents(feed, spanOf(window))}) shown ORDER BY hours, uid`;
    return this.streams.text(feed, events, {
      head: calendarStart(feed.name),
      row([uid, sequence, changedAt, start, end, content, removed]: TextRow) {
        isEmpty = false;
        const { status, ...shown } = JSON.parse(content!) as Content;
        const event = {
          ...shown,
          uid: uid!,
          sequence: Number(sequence),
          changedAt: new Date(changedAt!),
          start: new Date(start ?? window[0]),
          end: new Date(end ?? window[1]),
          status: removed === 't' ? 'CANCELLED' : status,
        };
        return eventText(event, wholeDays);
      },
      tail: () => calendarEnd(isEmpty),
    });
  }
}

/** From 30 days back to 366 days ahead, in whole days of UTC, so that the end of an open event moves once a day. */
function windowAt(now: Date): Window {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return [
    new Date(today - DAYS_BACK * DAY_MS).toISOString(),
    // The last day is included.
    new Date(today + (DAYS_AHEAD + 1) * DAY_MS).toISOString(),
  ];
}

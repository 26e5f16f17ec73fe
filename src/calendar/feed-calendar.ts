import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
import { instantText } from '../types/time.js';
import type { CalendarFeed } from './calendar-feed.entity.js';
import { currentEvents, DAYS_AHEAD, DAYS_BACK, WINDOW } from './feed-events.sql.js';
import { icalendar } from './icalendar.js';

const DAY_MS = 86_400_000;

export type ReadFeed = Pick<CalendarFeed, 'id' | 'name' | 'kind' | 'roster' | 'personId'>;

interface ShownEvent {
  /** Null for one that was not shown before. */
  sequence: number | null;
  changedAt: Date;
  uid: string;
  /** Null where they are open. */
  start: string | null;
  end: string | null;
  content: { summary: string; description: string; status: string };
  removed: boolean;
  /** Whether the calendar has changed in this. */
  differs: boolean;
}

/** Days for which a past event is remembered after it has left the window, in case that it is moved back into it. */
const REMEMBERED = `interval '366 days'`;

const CHANGED = `(s.removed OR s.hours <> c.hours OR s.content <> c.content)`;

/**
 * The calendars of feeds. What a feed has shown is remembered, so that whoever has subscribed to it is told what has changed
 * since, whatever the reason: an event that changes raises its `SEQUENCE`, and one that is gone is cancelled.
 */
@Injectable()
export class FeedCalendar {
  /** The calendar as it is now. */
  async read(db: Executor, feed: ReadFeed): Promise<string> {
    const window = windowAt(new Date());
    let events = await this.events(db, feed, window);
    // Most readings change nothing, and write nothing.
    if (events.some(({ differs }) => differs)) {
      events = await db.transaction(async (tx) => {
        await this.remember(tx, feed, window);
        return this.events(tx, feed, window);
      });
    }
    return icalendar({
      name: feed.name,
      wholeDays: feed.kind === 'expirations',
      events: events
        .filter(({ sequence }) => sequence !== null)
        .map(({ uid, sequence, changedAt, start, end, content, removed }) => ({
          ...content,
          uid,
          sequence: sequence!,
          changedAt,
          start: new Date(start ?? window[0]),
          end: new Date(end ?? window[1]),
          status: removed ? 'CANCELLED' : content.status,
        })),
    });
  }

  /** Brings what is remembered of a feed up to date. @param tx a transaction */
  async remember(tx: Executor, feed: ReadFeed, window = windowAt(new Date())): Promise<void> {
    // Readings at the same time take turns, so that each raises the numbers once.
    await tx.query('SELECT 1 FROM calendar_feeds WHERE id = $1 FOR NO KEY UPDATE', [feed.id]);
    const values: unknown[] = [...window, feed.id];
    await tx.query(
      `WITH ${currentEvents(feed.kind, feed, values)},
      gone AS (
        UPDATE calendar_events e SET removed = true, sequence = sequence + 1, changed_at = now()
        WHERE feed_id = $3 AND NOT removed AND hours && ${WINDOW} AND NOT EXISTS (SELECT FROM current c WHERE c.uid = e.uid)
      ),
      forgotten AS (
        DELETE FROM calendar_events e
        WHERE feed_id = $3 AND upper(hours) < $1::timestamptz - ${REMEMBERED}
          AND NOT EXISTS (SELECT FROM current c WHERE c.uid = e.uid)
      )
      INSERT INTO calendar_events AS e (feed_id, uid, hours, content)
      SELECT $3, c.uid, c.hours, c.content FROM current c LEFT JOIN calendar_events s ON s.feed_id = $3 AND s.uid = c.uid
      WHERE s.uid IS NULL OR ${CHANGED}
      ON CONFLICT (feed_id, uid) DO UPDATE
        SET hours = excluded.hours, content = excluded.content, removed = false, sequence = e.sequence + 1, changed_at = now()`,
      values,
    );
  }

  /** What was shown last, and in what it differs from what there is now. */
  private events(db: Executor, feed: ReadFeed, window: readonly [string, string]): Promise<ShownEvent[]> {
    const values: unknown[] = [...window, feed.id];
    return db.plan<ShownEvent>(
      `WITH ${currentEvents(feed.kind, feed, values)}
      SELECT uid, s.sequence, s.changed_at AS "changedAt", ${instantText('lower(s.hours)')} AS start,
        ${instantText('upper(s.hours)')} AS end, s.content, s.removed,
        CASE WHEN s.sequence IS NULL THEN true WHEN c.hours IS NULL THEN NOT s.removed ELSE ${CHANGED} END AS differs
      FROM current c FULL JOIN (
        SELECT * FROM calendar_events e WHERE feed_id = $3
          AND (hours && ${WINDOW} OR EXISTS (SELECT FROM current c WHERE c.uid = e.uid))
      ) s USING (uid)
      ORDER BY s.hours, uid`,
      values,
    );
  }
}

/** From 30 days back to 366 ahead, in whole days of UTC: the end of an open event moves once a day. */
function windowAt(now: Date): [from: string, to: string] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return [
    new Date(today - DAYS_BACK * DAY_MS).toISOString(),
    // The last day is in it.
    new Date(today + (DAYS_AHEAD + 1) * DAY_MS).toISOString(),
  ];
}

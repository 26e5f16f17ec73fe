import { Injectable } from '@nestjs/common';
import type { Executor } from '../database/database.js';
import { instantText } from '../types/time.js';
import type { CalendarFeed } from './calendar-feed.entity.js';
import { currentEvents, DAYS_AHEAD, DAYS_BACK, WINDOW } from './feed-events.sql.js';
import { icalendar } from './icalendar.js';

const DAY_MS = 86_400_000;

export type ReadFeed = Pick<CalendarFeed, 'id' | 'name' | 'kind' | 'roster' | 'personId'>;

interface ShownEvent {
  /** Null if it was not shown before. */
  sequence: number | null;
  changedAt: Date;
  uid: string;
  /** Null if open. */
  start: string | null;
  end: string | null;
  content: { summary: string; description: string; status: string };
  removed: boolean;
  /** Whether it has changed since the last reading. */
  differs: boolean;
}

/** Days for which a past event is remembered after it has left the window, in case it moves back into it. */
const REMEMBERED = `interval '366 days'`;

const CHANGED = `(s.removed OR s.hours <> c.hours OR s.content <> c.content)`;

/**
 * The calendars of feeds. The events that a feed has shown are stored, so that subscribers learn of every change: a changed event
 * raises its `SEQUENCE`, and a removed one is cancelled.
 */
@Injectable()
export class FeedCalendar {
  /** The current calendar. */
  async read(db: Executor, feed: ReadFeed): Promise<string> {
    const window = windowAt(new Date());
    let events = await this.events(db, feed, window);
    // Most readings find no change and write nothing.
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

  /** Updates the stored events of a feed. @param tx a transaction */
  async remember(tx: Executor, feed: ReadFeed, window = windowAt(new Date())): Promise<void> {
    // Concurrent readings take turns, so that each change raises the numbers once.
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

  /** The stored events, with their differences from the current ones. */
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

/** From 30 days back to 366 days ahead, in whole days of UTC, so that the end of an open event moves once a day. */
function windowAt(now: Date): [from: string, to: string] {
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  return [
    new Date(today - DAYS_BACK * DAY_MS).toISOString(),
    // The last day is included.
    new Date(today + (DAYS_AHEAD + 1) * DAY_MS).toISOString(),
  ];
}

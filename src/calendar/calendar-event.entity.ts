import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FeedKind } from './calendar-feed.entity.js';

/**
 * The last version of an event of a kind of calendar, which all feeds of that kind share. The next reading compares with it, to
 * raise `SEQUENCE` and to cancel removed events. A shift that moves to another roster or person is removed from the feeds of the one
 * and new in those of the other, and therefore has a row for each.
 */
@Entity('calendar_events')
export class CalendarEvent {
  @PrimaryColumn({ type: 'varchar', length: 32 }) kind!: FeedKind;
  @PrimaryColumn({ type: 'text' }) uid!: string;
  /** Roster of a shift; empty for other events. */
  @PrimaryColumn({ type: 'text' }) roster!: string;
  /** Person of a shift; the id of zeros for nobody, and for other events. */
  @PrimaryColumn({ type: 'uuid' }) personId!: string;
  /** Start and end. A missing one is open. */
  @Column({ type: 'tstzrange' }) hours!: string;
  /** The contents of the event besides its time. */
  @Column({ type: 'jsonb' }) content!: object;
  @Column({ type: 'integer', default: 0 }) sequence!: number;
  /** Whether it was removed from the calendar. */
  @Column({ type: 'boolean', default: false }) removed!: boolean;
  @Column({ type: 'timestamp with time zone', precision: 3, default: () => 'now()' }) changedAt!: Date;
}

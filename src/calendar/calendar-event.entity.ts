import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { FeedKind } from './calendar-feed.entity.js';

/**
 * The last version of an event of a kind of calendar, which all feeds of that kind share. Each read compares with it, to raise
 * `SEQUENCE` and to cancel removed events. If a shift moves to another roster or person, it is removed from one feed and new in the
 * other. So it has a row for each.
 */
@Entity('calendar_events')
export class CalendarEvent {
  @PrimaryColumn({ type: 'varchar', length: 32 }) kind!: FeedKind;
  @PrimaryColumn({ type: 'text' }) uid!: string;
  /** Roster of a shift; empty for other events. */
  @PrimaryColumn({ type: 'text' }) roster!: string;
  /** Person of a shift; a nil UUID for nobody, and for other events. */
  @PrimaryColumn({ type: 'uuid' }) personId!: string;
  /** Start and end. A missing one is open. */
  @Column({ type: 'tstzrange' }) hours!: string;
  /** The contents of the event except for its time. */
  @Column({ type: 'jsonb' }) content!: object;
  @Column({ type: 'integer', default: 0 }) sequence!: number;
  /** Whether it was removed from the calendar. */
  @Column({ type: 'boolean', default: false }) removed!: boolean;
  @Column({ type: 'timestamp with time zone', precision: 3, default: () => 'now()' }) changedAt!: Date;
}

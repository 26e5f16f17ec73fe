import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CalendarFeed } from './calendar-feed.entity.js';

/** The last version of an event in a feed. The next reading compares with it, to raise `SEQUENCE` and to cancel removed events. */
@Entity('calendar_events')
export class CalendarEvent {
  @PrimaryColumn({ type: 'uuid' }) feedId!: string;
  @ManyToOne(() => CalendarFeed, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'feed_id' })
  feed!: CalendarFeed;
  @PrimaryColumn({ type: 'text' }) uid!: string;
  /** Start and end. A missing one is open. */
  @Column({ type: 'tstzrange' }) hours!: string;
  /** The contents of the event besides its time. */
  @Column({ type: 'jsonb' }) content!: object;
  @Column({ type: 'integer', default: 0 }) sequence!: number;
  /** Whether it was removed from the calendar. */
  @Column({ type: 'boolean', default: false }) removed!: boolean;
  @Column({ type: 'timestamp with time zone', precision: 3, default: () => 'now()' }) changedAt!: Date;
}

import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CalendarFeed } from './calendar-feed.entity.js';

/** An event as a feed showed it last. The next reading compares with it, to raise `SEQUENCE` and to cancel what is gone. */
@Entity('calendar_events')
export class CalendarEvent {
  @PrimaryColumn({ type: 'uuid' }) feedId!: string;
  @ManyToOne(() => CalendarFeed, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'feed_id' })
  feed!: CalendarFeed;
  @PrimaryColumn({ type: 'text' }) uid!: string;
  /** When it is. A missing start or end is open. */
  @Column({ type: 'tstzrange' }) hours!: string;
  /** What is shown besides its time. */
  @Column({ type: 'jsonb' }) content!: object;
  @Column({ type: 'integer', default: 0 }) sequence!: number;
  /** Whether it is in the calendar no more. */
  @Column({ type: 'boolean', default: false }) removed!: boolean;
  @Column({ type: 'timestamp with time zone', precision: 3, default: () => 'now()' }) changedAt!: Date;
}

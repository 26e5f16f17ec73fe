import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The ports without a cable. They are few, so they are found without reading every port. Triggers maintain the table
 * (`free_ports.sql`). It has no foreign key, because deleting a port and deleting its cable at the same time would then be a deadlock.
 */
@Entity('free_ports')
export class FreePort {
  @PrimaryColumn({ type: 'uuid' }) portId!: string;
  @Index() @Column({ type: 'uuid' }) deviceId!: string;
}

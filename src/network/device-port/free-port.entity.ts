import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * The ports that have no cable, which are few among those that have one, so that they are found without a look at each port. Triggers keep
 * them (`free_ports.sql`). There is no foreign key: a port that goes would wait for a cable that goes, and the cable for the port.
 */
@Entity('free_ports')
export class FreePort {
  @PrimaryColumn({ type: 'uuid' }) portId!: string;
  @Index() @Column({ type: 'uuid' }) deviceId!: string;
}

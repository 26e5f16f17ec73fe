import { Entity, Index, JoinColumn, ManyToOne, PrimaryColumn, Column } from 'typeorm';
import { Cable } from './cable.entity.js';

/** Each end of each cable, with the opposite end. It ensures that an end has at most one cable. The trigger `cable_ends` maintains it. */
@Entity('cable_ends')
export class CableEnd {
  @PrimaryColumn({ type: 'uuid' }) endId!: string;
  @Index() @Column({ type: 'uuid' }) cableId!: string;
  @Column({ type: 'uuid' }) otherId!: string;
  @ManyToOne(() => Cable, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'cable_id' })
  cable!: Cable;
}

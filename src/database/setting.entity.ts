import { Column, Entity, PrimaryColumn } from 'typeorm';

/** What the service notes about its own database. */
@Entity('settings')
export class Setting {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) value!: string;
}

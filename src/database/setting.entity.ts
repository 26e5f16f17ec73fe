import { Column, Entity, PrimaryColumn } from 'typeorm';

/** Values that the service stores about its own database. */
@Entity('settings')
export class Setting {
  @PrimaryColumn({ type: 'text' }) name!: string;
  @Column({ type: 'text' }) value!: string;
}

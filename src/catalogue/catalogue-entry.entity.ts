import { Entity, PrimaryColumn } from 'typeorm';

/** A record that the shipped catalogue has once brought: it is not brought again, whatever became of it. */
@Entity('catalogue_entries')
export class CatalogueEntry {
  /** Table of the record. */
  @PrimaryColumn({ type: 'text' }) kind!: string;
  @PrimaryColumn({ type: 'text' }) slug!: string;
}

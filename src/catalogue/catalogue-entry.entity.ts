import { Entity, PrimaryColumn } from 'typeorm';

/** Records that the shipped catalogue has added to this database. They are not added again, even if they were changed or deleted. */
@Entity('catalogue_entries')
export class CatalogueEntry {
  /** Table of the record. */
  @PrimaryColumn({ type: 'text' }) kind!: string;
  @PrimaryColumn({ type: 'text' }) slug!: string;
}

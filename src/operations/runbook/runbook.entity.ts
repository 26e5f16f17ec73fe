import { Index } from 'typeorm';
import { LineField, NameField, ReferenceField, TextField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { Person } from '../../people/person/person.entity.js';

@RecordEntity('runbooks', { area: 'operations' })
// On an expression, which TypeORM does not support. A migration creates it.
@Index('ix_runbooks_words', { synchronize: false })
export class Runbook extends StoredRecord {
  @NameField('Title', { example: 'Fail over the core switch' }) name!: string;
  @LineField('Grouping label', { example: 'network' }) category!: string | null;
  @TextField('Procedure body', { example: '1. Check the standby supervisor.\n2. Switch over.' }) content!:
    string | null;
  @ReferenceField(() => Person, 'The maintaining owner') ownerId!: string | null;
  @TextField('Short summary', { searchable: true }) description!: string | null;
}

import { Index } from 'typeorm';
import { LineField, NameField, TextField, WordField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';

@RecordEntity('known_issues', { area: 'operations' })
// On an expression, which TypeORM does not support. A migration creates it.
@Index('ix_known_issues_words', { synchronize: false })
export class KnownIssue extends StoredRecord {
  @NameField('Title', { example: 'Memory leak in the route processor' }) name!: string;
  @WordField('Severity', ['medium', 'low', 'high', 'critical'], { default: 'medium' }) severity!: string;
  @WordField('Status', ['open', 'investigating', 'workaround_available', 'resolved', 'closed', 'wont_fix'], {
    default: 'open',
    counted: true,
  })
  status!: string;
  @LineField('System or service impacted', { example: 'core-sw-01' }) affectedSystem!: string | null;
  @TextField('Interim mitigation', { example: 'Reload the standby supervisor weekly' }) workaround!: string | null;
  @TextField('Detail', { searchable: true }) description!: string | null;
}

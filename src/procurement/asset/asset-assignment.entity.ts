import { Index } from 'typeorm';
import { EmailField, LineField, OwnerField, ReferenceField, TimestampField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { TakesCustomFields } from '../../fields/bodies/bodies.js';
import { RequestBody } from '../../fields/field.js';
import { defineRule, Rule } from '../../fields/bodies/rules.js';
import { Person } from '../../people/person/person.entity.js';
import { Asset } from './asset.entity.js';

defineRule('uq_asset_assignments_open', 'asset', 'is already handed out; it has to be returned first');

const setByDatabase = { readOnly: true, nullable: false, databaseDefault: 'now()' };

/** An asset in the hands of a person, from when it was handed out until it was returned. Open until then. */
@RecordEntity('asset_assignments', { area: 'procurement' })
// Both indexes cover only open assignments. A migration creates them.
@Index('uq_asset_assignments_open', { synchronize: false })
@Index('ix_asset_assignments_open_person', { synchronize: false })
// A closed assignment may outlive its person.
@Rule(
  'ck_asset_assignments_open',
  '"person_id" IS NOT NULL OR "returned_at" IS NOT NULL',
  'personId',
  'must be given while the asset is handed out',
)
export class AssetAssignment extends StoredRecord {
  @OwnerField(() => Asset, 'Asset that was handed out') assetId!: string;
  @ReferenceField(() => Person, 'Person it was handed to; null when the person has been deleted', { readOnly: true })
  personId!: string | null;
  @LineField('Full name of the person when it was handed out, also after they are renamed or deleted', {
    readOnly: true,
    example: 'Ada Lovelace',
  })
  personName!: string | null;
  @EmailField('Email address of the person when it was handed out', { readOnly: true })
  personEmail!: string | null;
  @TimestampField('When it was handed out', setByDatabase) assignedAt!: string;
  @TimestampField('When it has to be back; null if that was not agreed', {
    readOnly: true,
    example: '2026-06-30T15:00:00.000Z',
  })
  dueAt!: string | null;
  @TimestampField('When it was returned; null while it is out', {
    readOnly: true,
    example: '2026-06-30T15:00:00.000Z',
  })
  returnedAt!: string | null;
}

/** The body of returning an asset, and of picking up or returning a booking: the custom fields of the assignment. It may be absent. */
@TakesCustomFields(() => AssetAssignment, { makes: false })
export class ReturnAsset extends RequestBody {}

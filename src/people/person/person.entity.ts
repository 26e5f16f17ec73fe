import { Index, type Relation } from 'typeorm';
import { Profile } from '../../auth/profile/profile.entity.js';
import {
  ComputedField,
  DateField,
  EmailField,
  JoinedField,
  LineField,
  NameField,
  ReferenceField,
  TextField,
  WordField,
} from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { Site } from '../../network/site/site.entity.js';
import { LinkedProfile } from './linked-profile.js';

defineRule('uq_people_email', 'email', 'is already used by another person');
defineRule('ix_people_profile_id', 'profileId', 'is already linked to another person');

@RecordEntity('people', { area: 'people', apart: ['email'] })
// Compared in lower case. A migration creates the index, because TypeORM does not support indexes on expressions.
@Index('uq_people_email', { synchronize: false })
export class Person extends StoredRecord {
  @NameField('Full name', { example: 'Ada Lovelace' }) fullName!: string;
  @EmailField('Email address, unique across people in upper or lower case', { searchable: true, shownWithName: true })
  email!: string | null;
  @LineField('Telephone number', { example: '+44 20 7946 0000' }) phone!: string | null;
  @LineField('Job title', { example: 'Network engineer' }) jobTitle!: string | null;
  @LineField('Department', { example: 'Infrastructure' }) department!: string | null;
  @LineField('Number of the person in the HR system', { example: 'E-1042', label: 'Employee number' }) employeeId!:
    string | null;
  @ReferenceField(() => Site, 'Site where the person works') siteId!: string | null;
  @JoinedField('siteId', 'name', 'Name of the site', { example: 'Amsterdam DC1' }) siteName!: string | null;
  @ReferenceField(() => Profile, 'Login profile of the person; unique across people', { unique: true })
  profileId!: string | null;
  @WordField('Status', ['active', 'on_leave', 'inactive'], { default: 'active', counted: true }) status!: string;
  @DateField('First day at work') startDate!: string | null;
  @TextField('Notes', { searchable: true }) notes!: string | null;
  @ComputedField(
    'The linked login profile',
    (t) =>
      `(SELECT row_to_json(p) FROM (SELECT id, email, role, is_active AS "isActive" FROM profiles WHERE id = ${t}.profile_id) p)`,
    { type: () => LinkedProfile },
    { nullable: true },
  )
  profile!: Relation<LinkedProfile> | null;
  @ComputedField(
    'Number of assets that the person holds',
    (t) => `(SELECT count(*)::int FROM asset_assignments a WHERE a.person_id = ${t}.id AND a.returned_at IS NULL)`,
    { type: 'integer', format: 'int32', minimum: 0, example: 2 },
  )
  assetCount!: number;
}

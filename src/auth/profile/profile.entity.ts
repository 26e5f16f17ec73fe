import { Column, Index } from 'typeorm';
import { BooleanField, EmailField, EnumField, SetField } from '../../fields/fields.js';
import { StoredRecord } from '../../fields/record.js';
import { RecordEntity } from '../../fields/record-entity.js';
import { defineRule } from '../../fields/bodies/rules.js';
import { AREAS, ROLES, type Area, type Role } from '../../access/access.js';

defineRule('uq_profiles_email', 'email', 'is already used by another profile');

/** A login profile: who can open a session, and what it may do. */
@RecordEntity('profiles', { area: null, withheld: ['password_hash'] })
// Compared in lower case. A migration creates the index, because TypeORM does not support indexes on expressions.
@Index('uq_profiles_email', { synchronize: false })
export class Profile extends StoredRecord {
  @EmailField('Email address to log in with, unique in upper or lower case', {
    required: true,
    naming: true,
    searchable: true,
  })
  email!: string;
  @EnumField('Role: each includes those before it', 'Role', ROLES, { default: 'viewer' }) role!: Role;
  @SetField('Areas the profile may write in; reading operations needs its area too', {
    values: AREAS,
    enumName: 'Area',
    default: [...AREAS],
    example: [...AREAS],
  })
  areas!: Area[];
  @BooleanField('Whether the profile can log in', { default: true }) isActive!: boolean;
  /** Argon2id in PHC format; null if the profile cannot log in with a password. Not a field: no request and no response contains it. */
  @Column({ type: 'text', nullable: true }) passwordHash!: string | null;
}

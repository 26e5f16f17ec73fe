import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { CUSTOM_TYPES } from '../fields/custom/definition.js';
import { defineRule } from '../fields/bodies/rules.js';
import { DETAIL } from '../database/constraint-faults.js';
import {
  BooleanField,
  EnumField,
  IntegerField,
  LineField,
  ListField,
  TextField,
  TypedField,
} from '../fields/fields.js';
import { StoredRecord } from '../fields/record.js';
import { RecordEntity } from '../fields/record-entity.js';
import { jsonValue } from '../fields/types/json.js';
import { text } from '../fields/types/text.js';

// The trigger of the values names the field and the reason.
defineRule('ck_custom_fields', 'customFields', DETAIL);
defineRule('ck_custom_fields_fixed', 'key', 'cannot be changed, nor can type and target');
defineRule('uq_custom_fields', 'customFields', 'is already taken by another record');

const fixed = 'cannot be changed later';

/** A field that an installation adds to records of some resources: its definition. */
@RecordEntity('custom_fields', { area: null, open: true, label: 'custom field', listed: true })
export class CustomField extends StoredRecord {
  @LineField(`Name of the field in bodies, filters and columns, in camelCase, unique for each resource; ${fixed}`, {
    required: true,
    maxLength: 63,
    naming: true,
    searchable: true,
    fixed: true,
    example: 'costCentre',
  })
  key!: string;
  @LineField('What people see instead of the key', { example: 'Cost centre' }) label!: string | null;
  // The document repeats it.
  @TextField('Free-text notes', { maxLength: 1000, example: 'Who pays for it, as in the ledger' })
  description!: string | null;
  @ListField('Resources whose records have the field, named as in the change log', {
    required: true,
    default: undefined,
    nullable: false,
    example: ['assets'],
  })
  resources!: string[];
  @EnumField(`Type of the values; ${fixed}`, 'CustomFieldType', CUSTOM_TYPES, { required: true, fixed: true })
  type!: string;
  @ListField('Allowed values of a `choice`, or of `tags`, where null means any word', {
    nullable: true,
    default: undefined,
    example: null,
  })
  choices!: string[] | null;
  @LineField(`Resource that a \`reference\` refers to; ${fixed}`, { fixed: true, example: null }) target!:
    string | null;
  @BooleanField('Whether every record must have a value') required!: boolean;
  @BooleanField('Whether no two records of a resource may have the same value', { columnName: 'is_unique' })
  unique!: boolean;
  @TypedField(jsonValue, 'Value of a new record if the request gives none', {
    columnName: 'default_value',
    example: null,
  })
  default!: unknown;
  @TypedField(jsonValue, 'Minimum of an integer, decimal, date or time, in the format of the values', { example: null })
  minimum!: unknown;
  @TypedField(jsonValue, 'Maximum of an integer, decimal, date or time, in the format of the values', {
    example: null,
  })
  maximum!: unknown;
  @LineField(
    'Regular expression that a part of a text or address must match: literals, classes, anchors, groups, alternation and greedy repetition',
    { example: '^[0-9]{4}$' },
  )
  pattern!: string | null;
  @BooleanField('Whether `/api/search` finds records by its values') searched!: boolean;
  @IntegerField('Place among the custom fields of a record, from the lowest', { default: 0, example: 10 })
  position!: number;
  @EnumField('Whether `unique` and `searched` are in effect', 'CustomFieldStatus', ['building', 'ready'], {
    readOnly: true,
    default: 'ready',
    example: 'ready',
  })
  status!: string;
  /** Key of the stored values: the key of the field, with a number if an earlier field had the same key. */
  @TypedField(text, 'Name that values are stored by', {
    required: true,
    readOnly: true,
    hidden: true,
    shownAs: 'key',
    unique: true,
  })
  storedAs!: string;
  /** The pattern as a regular expression of PostgreSQL. */
  @TypedField(text, 'Pattern as PostgreSQL reads it', { readOnly: true, hidden: true, shownAs: 'pattern' })
  patternSql!: string | null;
}

/** A name under which values are or were stored. It is never reused. */
@Entity('custom_field_names')
class CustomFieldName {
  @PrimaryColumn({ type: 'text' }) storedAs!: string;
  @Column({ type: 'text' }) @Index() key!: string;
  /** Resources whose records may still have values of this deleted field. */
  @Column({ type: 'text', array: true, default: () => `'{}'` }) droppedFrom!: string[];
}

/** A value of a unique custom field. */
@Entity('custom_field_values')
class CustomFieldValue {
  @PrimaryColumn({ type: 'uuid' }) fieldId!: string;
  @PrimaryColumn({ type: 'text' }) resource!: string;
  @PrimaryColumn({ type: 'bytea' }) digest!: Buffer;
  @Column({ type: 'uuid' }) recordId!: string;
}

export const customFieldEntities = [CustomField, CustomFieldName, CustomFieldValue];

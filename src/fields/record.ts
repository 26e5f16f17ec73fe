import { Index, PrimaryGeneratedColumn } from 'typeorm';
import { defineField } from './field.js';
import * as types from './field-types.js';

/** What every record has. Its three fields are set by the database and shown in every response. */
export abstract class StoredRecord {
  id!: string;
  createdAt!: string;
  updatedAt!: string;
}

const systemField = { readOnly: true, required: false, nullable: false } as const;

PrimaryGeneratedColumn('uuid')(StoredRecord.prototype, 'id');
defineField(StoredRecord, 'id', {
  ...systemField,
  type: types.uuid,
  description: 'Identifier, given by the service',
  example: '3f2b8c1e-5d4a-4f6b-9a7c-1e2d3c4b5a69',
  column: false,
});
for (const [property, description] of [
  ['createdAt', 'When the record was created'],
  ['updatedAt', 'When the record was last changed'],
] as const) {
  defineField(StoredRecord, property, {
    ...systemField,
    type: types.timestamp,
    description,
    example: '2026-03-01T08:30:00.000Z',
    databaseDefault: 'now()',
  });
}

// The order of lists that ask for none.
Index(['createdAt', 'id'])(StoredRecord);
